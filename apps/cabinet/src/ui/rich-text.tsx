import type { RichElement, RichNode } from '@heliograph/domain';
import { Anchor, Code, Text } from '@mantine/core';
import { Fragment } from 'react';

/** A text that people formatted, as elements: no markup of its source is part of the page. */
export function RichText({ nodes }: { nodes: RichNode[] }) {
  return (
    <Text component="div" style={{ overflowWrap: 'anywhere' }}>
      <Nodes nodes={nodes} />
    </Text>
  );
}

function Nodes({ nodes }: { nodes: RichNode[] }) {
  return nodes.map((node, i) => (
    // The text does not change, so neither do the positions.
    <Fragment key={i}>
      {node === '\n' ? <br /> : typeof node === 'string' ? node : <Element node={node} />}
    </Fragment>
  ));
}

function Element({ node: { tag, href, children } }: { node: RichElement }) {
  const inside = <Nodes nodes={children} />;
  switch (tag) {
    case 'b':
      return <strong>{inside}</strong>;
    case 'i':
      return <em>{inside}</em>;
    case 'u':
      return <u>{inside}</u>;
    case 's':
      return <s>{inside}</s>;
    case 'code':
      return <Code>{inside}</Code>;
    case 'pre':
      return <Code block>{inside}</Code>;
    case 'p':
      return <p>{inside}</p>;
    case 'li':
      return <div>• {inside}</div>;
    case 'a':
      return (
        <Anchor inherit href={href} target="_blank" rel="noopener noreferrer nofollow">
          {inside}
        </Anchor>
      );
  }
}
