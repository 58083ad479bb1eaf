/** One file per icon: the package's own entry is a barrel of thousands of modules. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { Icon } from '@tabler/icons-react';
  const icon: Icon;
  export default icon;
}

/** Made by vite.config.ts. */
declare module 'virtual:icons' {
  import type { Icon } from '@tabler/icons-react';
  const icons: Record<string, Icon>;
  export = icons;
}

declare module 'markdown-it-container' {
  import type { MarkdownIt } from 'markdown-it';
  export default function container(parser: MarkdownIt, name: string): void;
}
