/** A call of the HTTP API as it is sent. */
export interface HttpCall {
  method: string;
  /** Path and query: `/api/sendings?live=false`. */
  path: string;
  /** By name. The value of `Authorization` stands for a token that programs have elsewhere. */
  headers: Record<string, string>;
  /** Empty if there is none. */
  body: string;
}

export const CALL_LANGUAGES = ['curl', 'typescript', 'php', 'python', '1c'] as const;
export type CallLanguage = (typeof CALL_LANGUAGES)[number];

/** The call as text: its line, its headers and, after an empty line, its body. */
export function writeHttpCall({ method, path, headers, body }: HttpCall): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path}`, ...lines, ...(body ? ['', body] : [])].join('\n');
}

/** The call that `writeHttpCall` has written. */
export function readHttpCall(text: string): HttpCall {
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = (end < 0 ? text : text.slice(0, end)).trimEnd().split('\n');
  const at = first.indexOf(' ');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    method: first.slice(0, at),
    path: first.slice(at + 1),
    headers: Object.fromEntries(headers),
    body: end < 0 ? '' : text.slice(end + 2).trimEnd(),
  };
}

/** The call at an installation as a program that can be run: `exampleOf('curl', 'https://example.com', call)`. It has the token in the variable `TOKEN`. */
export function exampleOf(language: CallLanguage, site: string, call: HttpCall): string {
  return WRITERS[language](new Written(site, call));
}

/** What all languages need of a call. */
class Written {
  readonly method: string;
  readonly site: string;
  readonly path: string;
  readonly body: string;
  readonly hasToken: boolean;
  /** Without the token. */
  readonly headers: [name: string, value: string][];
  private readonly isJson: boolean;

  constructor(site: string, { method, path, headers, body }: HttpCall) {
    this.method = method;
    this.site = site;
    this.path = path;
    this.body = body;
    this.hasToken = 'Authorization' in headers;
    this.headers = Object.entries(headers).filter(([name]) => name !== 'Authorization');
    this.isJson = headers['Content-Type'] === 'application/json';
  }

  get url(): string {
    return this.site + this.path;
  }

  /** The body as an expression: JSON by a literal of the language, anything else as a string. */
  content(json: (value: unknown) => string, text: (value: string) => string): string {
    return this.isJson ? json(JSON.parse(this.body)) : text(this.body);
  }
}

const WRITERS: Record<CallLanguage, (call: Written) => string> = {
  curl({ method, url, headers, hasToken, body }) {
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const isImplied = method === (body ? 'POST' : 'GET');
    return [
      `curl ${quote(url)}`,
      ...(isImplied ? [] : [`-X ${method}`]),
      ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
      ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
      ...(body ? [`--data-raw ${quote(body)}`] : []),
    ].join(' \\\n  ');
  },

  typescript(call) {
    const headers = [
      ...(call.hasToken ? ['Authorization: `Bearer ${process.env.TOKEN}`,'] : []),
      ...call.headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    ];
    const json = (value: unknown) => `JSON.stringify(${JSON.stringify(value, null, 2)})`;
    const lines = [
      `method: "${call.method}",`,
      ...(headers.length ? ['headers: {', ...indented(headers, 2), '},'] : []),
      ...(call.body ? [`body: ${call.content(json, (text) => JSON.stringify(text))},`] : []),
    ];
    return [
      `const response = await fetch(${JSON.stringify(call.url)}, {`,
      ...indented(lines, 2),
      '});',
      'console.log(response.status, await response.text());',
    ].join('\n');
  },

  php(call) {
    const headers = [
      ...(call.hasToken ? ["'Authorization: Bearer ' . getenv('TOKEN'),"] : []),
      ...call.headers.map(([name, value]) => `${phpText(`${name}: ${value}`)},`),
    ];
    const json = (value: unknown) => `json_encode(${phpOf(value)})`;
    const lines = [
      `CURLOPT_CUSTOMREQUEST => '${call.method}',`,
      ...(headers.length ? ['CURLOPT_HTTPHEADER => [', ...indented(headers, 4), '],'] : []),
      ...(call.body ? [`CURLOPT_POSTFIELDS => ${call.content(json, phpText)},`] : []),
      'CURLOPT_RETURNTRANSFER => true,',
    ];
    return [
      '<?php',
      `$request = curl_init(${phpText(call.url)});`,
      'curl_setopt_array($request, [',
      ...indented(lines, 4),
      ']);',
      '$body = curl_exec($request);',
      `echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $body, "\\n";`,
    ].join('\n');
  },

  python(call) {
    const headers = [
      ...(call.hasToken ? ['"Authorization": "Bearer " + os.environ["TOKEN"],'] : []),
      ...call.headers.map(([name, value]) => `"${name}": ${JSON.stringify(value)},`),
    ];
    const json = (value: unknown) => `json.dumps(${pythonOf(value)}).encode()`;
    const text = (value: string) => `${JSON.stringify(value)}.encode()`;
    const lines = [
      `${JSON.stringify(call.url)},`,
      `method="${call.method}",`,
      ...(headers.length ? ['headers={', ...indented(headers, 4), '},'] : []),
      ...(call.body ? [`data=${call.content(json, text)},`] : []),
    ];
    return [
      'import json, os',
      'from urllib.request import Request, urlopen',
      '',
      'request = Request(',
      ...indented(lines, 4),
      ')',
      'with urlopen(request) as response:',
      '    print(response.status, response.read().decode())',
    ].join('\n');
  },

  '1c'(call) {
    const quote = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\n', '\n|')}"`;
    const [, protocol, hostname, port] =
      /^(https?):\/\/(\[[^\]]+\]|[^/:]+)(?::(\d+))?/.exec(call.site) ?? [];
    const isSafe = protocol === 'https';
    const safety = isSafe ? ', Новый ЗащищенноеСоединениеOpenSSL' : '';
    const headers = [
      ...(call.hasToken ? ['"Authorization", "Bearer " + Токен'] : []),
      ...call.headers.map(([name, value]) => `"${name}", ${quote(value)}`),
    ];
    return [
      ...(call.hasToken ? ['Токен = "hg_...";'] : []),
      `Соединение = Новый HTTPСоединение("${hostname}", ${port || (isSafe ? 443 : 80)},,,, 30${safety});`,
      `Запрос = Новый HTTPЗапрос(${quote(call.path)});`,
      ...headers.map((header) => `Запрос.Заголовки.Вставить(${header});`),
      ...(call.body
        ? [
            `Тело = ${quote(call.body)};`,
            'Запрос.УстановитьТелоИзСтроки(Тело, "UTF-8", ИспользованиеByteOrderMark.НеИспользовать);',
          ]
        : []),
      `Ответ = Соединение.ВызватьHTTPМетод("${call.method}", Запрос);`,
      'Сообщить(Строка(Ответ.КодСостояния) + " " + Ответ.ПолучитьТелоКакСтроку("UTF-8"));',
    ].join('\n');
  },
};

/** Lines of an item, which may have lines of its own, moved to the right. */
const indented = (items: string[], by: number): string[] =>
  items.flatMap((item) => item.split('\n')).map((line) => ' '.repeat(by) + line);

/** A text of several lines is in double quotes, where a line end can be written. */
const phpText = (text: string): string =>
  text.includes('\n')
    ? `"${text.replaceAll(/[\\"$]/g, '\\$&').replaceAll('\n', '\\n')}"`
    : `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function phpOf(value: unknown): string {
  if (typeof value === 'string') return phpText(value);
  if (!isObject(value)) return String(value);
  if (Array.isArray(value)) return inBrackets('[', value.map(phpOf), ']');
  const fields = Object.entries(value).map(([name, of]) => `${phpText(name)} => ${phpOf(of)}`);
  return fields.length ? inBrackets('[', fields, ']') : 'new stdClass()';
}

function pythonOf(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (!isObject(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return inBrackets('[', value.map(pythonOf), ']');
  const fields = Object.entries(value).map(
    ([name, of]) => `${JSON.stringify(name)}: ${pythonOf(of)}`,
  );
  return inBrackets('{', fields, '}');
}

const inBrackets = (open: string, items: string[], close: string): string =>
  items.length ? [open, ...indented([items.join(',\n')], 4), close].join('\n') : `${open}${close}`;
