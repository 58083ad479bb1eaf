/**
 * The command `profile [name] [override=value ...]`: shows or changes the profile of a running simulator, for example
 * `node src/main.ts profile flaky silent=0.2 sentDelay=[0,100]`. Returns the exit code.
 */
export async function runCli(base: string, words: string[]): Promise<number> {
  const [command, ...rest] = words;
  if (command !== 'profile') {
    console.error('usage: node src/main.ts [profile [name] [override=value ...]]');
    return 2;
  }
  try {
    const response = await fetch(
      new URL('/profile', base),
      rest.length > 0 ? profileRequest(rest) : {},
    );
    const text = await response.text();
    if (!response.ok) throw new Error(text || `HTTP status ${response.status}`);
    console.log(JSON.stringify(JSON.parse(text), null, 2));
    return 0;
  } catch (error) {
    const { message, cause } = error as Error;
    console.error(`${base}: ${cause instanceof Error ? cause.message : message}`);
    return 1;
  }
}

function profileRequest(words: string[]): RequestInit {
  const options: Record<string, unknown> = {};
  for (const word of words) {
    const [name, value] = word.split('=', 2) as [string, string | undefined];
    if (value === undefined) options.profile = name;
    else options[name] = name === 'seed' ? value : parseValue(value);
  }
  const headers = { 'content-type': 'application/json' };
  return { method: 'PUT', headers, body: JSON.stringify(options) };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The simulator validates the value.
    return text;
  }
}
