import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from './src/client.ts';
import { classOf, methodsOf, readArguments, writeArchive, type Method } from './methods.ts';

/**
 * `php.ts DOCUMENT FOLDER` makes the package for PHP from the OpenAPI document of an installation: an archive that Composer takes, and
 * that works without it. Prints its name.
 */
const { document, out } = readArguments();
const here = join(import.meta.dirname, 'php');
const { version } = document.info;
const methods = methodsOf(document);

const text = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function operationText({ method, path, repeatable, ...rest }: Operation): string {
  const { body, longPoll, download, results } = rest;
  const given = [
    ...[method, path, repeatable].map(text),
    ...(body ? [`body: ${text(body)}`] : []),
    ...(longPoll ? ['longPoll: true'] : []),
    ...(download ? ['download: true'] : []),
    ...(results ? [`results: [${results.join(', ')}]`] : []),
  ];
  return `new Operation(${given.join(', ')})`;
}

function methodText({ verb, operation, documented, params, needsQuery, about }: Method): string {
  const { body, query, cursor, download, repeatable } = operation;
  const isPaged = documented.parameters?.some(({ name }) => name === '$limit');
  const given = [
    ...params.map((name) => `string $${name}`),
    ...(body === 'file' ? ['string|array $file'] : []),
    ...(body === 'json'
      ? [documented.requestBody?.required ? 'array $body' : '?array $body = null']
      : []),
    ...(query ? [needsQuery && !body ? 'array $query' : 'array $query = []'] : []),
    '?float $timeout = null',
    ...(repeatable === 'with-key' ? ['?string $idempotencyKey = null'] : []),
  ];
  const values = [
    operationText(operation),
    `[${params.map((name) => `$${name}`).join(', ')}]`,
    ...(body ? [`body: $${body === 'file' ? 'file' : 'body'}`] : []),
    ...(query ? ['query: $query'] : []),
    'timeout: $timeout',
    ...(repeatable === 'with-key' ? ['idempotencyKey: $idempotencyKey'] : []),
  ];
  const lines = [
    `    /** ${about.replaceAll('*/', '* /')} */`,
    `    public function ${verb}(${given.join(', ')}): ${download ? 'string' : 'mixed'}`,
    '    {',
    `        return $this->client->run(${values.join(', ')});`,
    '    }',
  ];
  if (verb === 'find' && isPaged && !params.length)
    lines.push(
      '',
      '    /** Every row, page by page. */',
      `    public function all(array $query = []): \\Generator`,
      '    {',
      `        return $this->client->each($this->find(...), $query, ${cursor ? 'true' : 'false'});`,
      '    }',
    );
  return lines.join('\n');
}

const file = (space: string, content: string): string =>
  `<?php\n\ndeclare(strict_types=1);\n\nnamespace ${space};\n\n${content}`;
const files: Record<string, string> = {};
for (const name of readdirSync(join(here, 'src')))
  files[`src/${name}`] = readFileSync(join(here, 'src', name), 'utf8');
for (const [noun, all] of methods)
  files[`src/Calls/${classOf(noun)}.php`] = file(
    'Heliograph\\Calls',
    `use Heliograph\\Noun;
use Heliograph\\Operation;

final class ${classOf(noun)} extends Noun
{
${all.map(methodText).join('\n\n')}
}
`,
  );
files['src/Heliograph.php'] = file(
  'Heliograph',
  `/** The client of an installation: \`new Heliograph('https://messages.example', $token)\`. */
final class Heliograph extends Client
{
    public const VERSION = ${text(version)};
${methods.map(([noun]) => `    public readonly Calls\\${classOf(noun)} $${noun};`).join('\n')}

    /** @param string|\\Closure|null $token */
    public function __construct(string $url, string|\\Closure|null $token = null, float $timeout = 30.0, int $attempts = 4)
    {
        parent::__construct($url, $token, $timeout, $attempts);
${methods.map(([noun]) => `        $this->${noun} = new Calls\\${classOf(noun)}($this);`).join('\n')}
    }
}
`,
);
files['autoload.php'] = `<?php

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . strtr(substr($class, 11), '\\\\', '/') . '.php';
    if (str_starts_with($class, 'Heliograph\\\\') && is_file($file)) {
        require $file;
    }
});
`;
files['composer.json'] = `${JSON.stringify(
  {
    name: 'heliograph/sdk',
    description: 'Client of the Heliograph messaging API',
    version,
    type: 'library',
    license: 'MIT',
    require: { php: '>=8.1', 'ext-curl': '*' },
    autoload: { 'psr-4': { 'Heliograph\\': 'src/' } },
  },
  null,
  2,
)}\n`;
files['README.md'] = readFileSync(join(here, 'README.md'), 'utf8');

const archive = `heliograph-sdk-php-${version}.zip`;
writeArchive(join(out, archive), files);
console.log(archive);
