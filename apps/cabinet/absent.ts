import type { Plugin } from 'vite';

interface Absent {
  modules: RegExp;
  /** These exports alone, of a module that is needed otherwise. */
  names?: string[];
  /** How the cabinet would use it. */
  use: RegExp;
}

/** What the cabinet does not use, though what it uses refers to it, so that no bundler can drop it. */
const ABSENT: Absent[] = [
  {
    modules:
      /@mantine[\\/]core[\\/].*[\\/](ActionIconGroup|ActionIconGroupSection|ButtonGroup|ButtonGroupSection)\.mjs$/,
    use: /\b(ActionIcon|Button)\.Group/,
  },
  { modules: /@mantine[\\/]core[\\/].*[\\/](Bars|Dots)\.mjs$/, use: /type="(bars|dots)"/ },
  {
    modules:
      /@mantine[\\/]core[\\/].*[\\/](MenuCheckboxGroup|MenuCheckboxItem|MenuContextMenu|MenuSearch|MenuSub|PopoverContextMenu)\.mjs$/,
    use: /\b(Menu|Popover)\.(Checkbox|ContextMenu|Search|Sub)/,
  },
  {
    modules: /@mantine[\\/]core[\\/].*[\\/]TooltipFloating\.mjs$/,
    use: /\bTooltip\.Floating/,
  },
  {
    modules: /query-core[\\/].*[\\/]infiniteQueryBehavior\.js$/,
    use: /\b(useInfiniteQuery|(fetch|prefetch|ensure)?InfiniteQuery)\b/i,
  },
  {
    modules: /react-router[\\/].*[\\/]router[\\/]instrumentation\.js$/,
    names: ['getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
    use: /\binstrumentations\b/,
  },
  // Redirects and errors of server components.
  { modules: /react-router[\\/].*[\\/]lib[\\/]errors\.js$/, use: /['"]react-server-dom/ },
  {
    modules: /react-router[\\/].*[\\/]ssr[\\/]components\.js$/,
    names: ['PrefetchPageLinks'],
    use: /\bprefetch=/,
  },
];

const OWN = /[\\/]apps[\\/]cabinet[\\/]src[\\/]/;
const THROWS = "const absent = () => { throw new Error('Not in the cabinet: see absent.ts'); };";

const exportsOf = (code: string): string[] => [
  ...[...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name!),
  ...[...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.split(',').map((item) => item.trim().split(' as ').at(-1)!),
  ),
];

/** Without its exports a function is not referred to, and the bundler drops it. */
function withoutExports(code: string, names: string[]): string {
  const rest = code.replace(
    /^export \{([^}]*)\}/m,
    (_, list: string) =>
      `export {${list
        .split(',')
        .filter((item) => !names.includes(item.trim()))
        .join(',')}}`,
  );
  return [rest, THROWS, ...names.map((name) => `export { absent as ${name} };`)].join('\n');
}

/** A build fails when a package no longer exports what is removed here, and when the cabinet uses it. */
export const absent: Plugin = {
  name: 'absent',
  transform(code, id) {
    if (OWN.test(id)) {
      const used = ABSENT.map(({ use }) => use.exec(code)?.[0]).find(Boolean);
      if (used) this.error(`${used} is not in the cabinet: absent.ts removes it.`);
      return;
    }
    const found = ABSENT.find(({ modules }) => modules.test(id));
    if (!found) return;
    const all = exportsOf(code);
    const names = found.names ?? all;
    const missing = names.filter((name) => !all.includes(name));
    if (names.length === 0 || missing.length) this.error(`${id} has no export ${missing.join()}.`);
    return found.names
      ? withoutExports(code, names)
      : [THROWS, ...names.map((name) => `export { absent as ${name} };`)].join('\n');
  },
};

/**
 * The parts of zod that turn a schema into JSON Schema, for the server's document: every schema refers to them, so that no
 * bundler can drop them. Those that are called for every schema that is made return what throws.
 */
export const noJsonSchema: Plugin = {
  name: 'no-json-schema',
  transform(code, id) {
    if (!/[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js/.test(id))
      return;
    return [
      "const absent = () => { throw new Error('The client has no JSON Schema') };",
      ...exportsOf(code).map((name) =>
        name.startsWith('create')
          ? `export const ${name} = () => absent;`
          : `export { absent as ${name} };`,
      ),
    ].join('\n');
  },
};
