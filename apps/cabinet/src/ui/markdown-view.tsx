import { Anchor } from '@mantine/core';
import type { Token } from 'markdown-it';
import { createElement, Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { Link } from 'react-router';
import { copy } from '../core/copy.ts';
import { CodePane } from './code-pane.tsx';
import { cx } from './cx.ts';
import { imagePath, linkTarget } from './markdown-links.ts';
import { CONTAINERS, type MarkdownNode } from './markdown-parser.ts';
import classes from './markdown-view.module.css';

interface MarkdownViewProps {
  nodes: MarkdownNode[];
  /** Path of the file, against which its links are resolved. */
  source: string;
  /** What a page adds to a block of code. */
  around?: Around;
}

type Around = (node: MarkdownNode, pane: ReactNode) => ReactNode;

/** The element of a heading. Prefixed, so that no heading takes the id of something else on the page. */
export const headingId = (id: string): string => `heading-${id}`;

/** Elements that stand for themselves. Nothing else of a document becomes an element, and no text is parsed as HTML. */
const PLAIN = new Set([
  'p',
  'ul',
  'ol',
  'li',
  'blockquote',
  'strong',
  'em',
  's',
  'thead',
  'tbody',
  'tr',
]);
const CODE_HEIGHT = 480;

/** A parsed markdown document as elements of the page. */
export function MarkdownView({ nodes, source, around = (_, pane) => pane }: MarkdownViewProps) {
  const { t } = useTranslation();
  return <div className={classes.document}>{new Elements(t, source, around).all(nodes)}</div>;
}

const attribute = (token: Token, name: string) => String(token.attrGet(name) ?? '');

class Elements {
  /** Inside of a heading or a link, code is not a button. */
  private isPlainCode = false;
  private panes = 0;

  constructor(
    private readonly t: TFunction,
    private readonly source: string,
    private readonly around: Around,
  ) {}

  all(nodes: MarkdownNode[]): ReactNode {
    return nodes.map((node, index) => <Fragment key={index}>{this.one(node)}</Fragment>);
  }

  private one(node: MarkdownNode): ReactNode {
    const { token, children } = node;
    const type = token.type.replace(/_open$/, '');
    switch (type) {
      case 'text':
      case 'text_special':
        return token.content;
      case 'softbreak':
        return '\n';
      case 'hardbreak':
        return <br />;
      case 'hr':
        return <hr />;
      case 'code_inline':
        return this.code(token.content);
      case 'fence':
      case 'code_block':
        return this.around(node, this.pane(token.content, token.info.trim()));
      case 'image':
        return this.image(node);
      case 'link':
        return this.link(attribute(token, 'href'), () => this.all(children));
      case 'heading':
        return this.heading(node);
      case 'table':
        return this.table(children);
      case 'th':
      case 'td':
        return createElement(type, null, this.all(children));
    }
    const kind = CONTAINERS.find((name) => type === `container_${name}`);
    if (kind) return this.container(kind, token.info, children);
    if (!PLAIN.has(token.tag) || token.hidden) return this.all(children);
    const start = attribute(token, 'start');
    return createElement(token.tag, start ? { start: Number(start) } : null, this.all(children));
  }

  private plain(draw: () => ReactNode): ReactNode {
    const before = this.isPlainCode;
    this.isPlainCode = true;
    const drawn = draw();
    this.isPlainCode = before;
    return drawn;
  }

  private code(content: string): ReactNode {
    if (this.isPlainCode) return <code className={classes.code}>{content}</code>;
    return (
      <button
        type="button"
        className={cx(classes.code, classes.copied)}
        title={this.t('common:copy')}
        onClick={() => void copy(content, this.t('common:copiedText', { text: content }))}
      >
        <code>{content}</code>
      </button>
    );
  }

  private pane(content: string, language: string): ReactNode {
    const number = ++this.panes;
    const label = this.t('common:example', { number });
    const code = content.trimEnd();
    return (
      <CodePane
        label={label}
        hint={language.split(' ', 1)[0]!}
        code={code}
        maxHeight={CODE_HEIGHT}
      />
    );
  }

  private image({ token }: MarkdownNode): ReactNode {
    const src = imagePath(attribute(token, 'src'), this.source);
    if (!src) return token.content;
    // `{width}x{height}` in the title: the place is kept until the picture is there.
    const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(attribute(token, 'title')) ?? [];
    return <img src={src} alt={token.content} width={width} height={height} loading="lazy" />;
  }

  private link(href: string, draw: () => ReactNode): ReactNode {
    const target = linkTarget(href, this.source);
    const children = this.plain(draw);
    if (!target) return children;
    if ('to' in target)
      return (
        <Anchor component={Link} to={target.to} inherit underline="always">
          {children}
        </Anchor>
      );
    const elsewhere = target.isExternal && { target: '_blank', rel: 'noopener noreferrer' };
    return (
      <Anchor href={target.href} inherit underline="always" {...elsewhere}>
        {children}
      </Anchor>
    );
  }

  private heading({ token, children }: MarkdownNode): ReactNode {
    const id = headingId(attribute(token, 'id'));
    // A second heading of level 1 is one of the page's sections.
    const tag = token.tag === 'h1' ? 'h2' : token.tag;
    return createElement(
      tag,
      { id, tabIndex: -1, 'data-heading': attribute(token, 'id') },
      this.plain(() => this.all(children)),
    );
  }

  private table(children: MarkdownNode[]): ReactNode {
    // Tables have hundreds of names: as buttons, the tab key would stop at each.
    const rows = this.plain(() => this.all(children));
    return (
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={this.t('common:table')}>
        <table>{rows}</table>
      </div>
    );
  }

  private container(kind: string, info: string, children: MarkdownNode[]): ReactNode {
    const title = info.trim().slice(kind.length).trim() || this.t(`common:note.${kind}`);
    return (
      <div role="note" className={classes.note} data-kind={kind}>
        <p className={classes.noteTitle}>{title}</p>
        {this.all(children)}
      </div>
    );
  }
}
