import type { CatalogueItem } from '@heliograph/domain';
import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSettings } from '../../core/settings.ts';
import classes from './catalogue.module.css';
import { catalogueOf, DOCUMENTATION, pageOf, titleOf } from './catalogue.ts';

interface CatalogueSectionProps {
  /** Choosing a card emits its key instead of opening its page. */
  onChoose?: (key: string) => void;
  disabled?: boolean;
}

/** The cards of the programs that can be connected, and the one of the documentation. */
export function CatalogueSection({ onChoose, disabled }: CatalogueSectionProps) {
  const { t, i18n } = useTranslation();
  const { brand } = useSettings().frontend;
  const [search, setSearch] = useState('');
  const groupOf = ({ group }: CatalogueItem) => t(`integrations:group.${group}`);
  const items = catalogueOf(brand, search, groupOf);
  const cards: CardProps[] = [
    ...items.map((item) => ({
      name: item.key,
      title: titleOf(item, i18n.language),
      letter: titleOf(item, i18n.language)[0]!,
      text: `${groupOf(item)} · ${item.directions
        .map((direction) => t(`integrations:direction.${direction}`))
        .join(', ')}`,
    })),
    {
      name: DOCUMENTATION,
      title: t('integrations:other.title'),
      letter: '{}',
      text: t('integrations:other.text'),
    },
  ];
  return (
    <section aria-label={t('integrations:catalogue')}>
      <TextInput
        type="search"
        label={t('integrations:search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maxLength={60}
        maw={400}
        mb="md"
      />
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {items.length ? t('integrations:found', { count: items.length }) : t('integrations:none')}
      </Text>
      <ul className={classes.cards}>
        {cards.map((card) => (
          <li key={card.name}>
            <Card {...card} choose={onChoose} disabled={disabled} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  name: string;
  title: string;
  letter: string;
  text: string;
}

function Card({
  name,
  title,
  letter,
  text,
  choose,
  disabled,
}: CardProps & { choose?: (key: string) => void; disabled?: boolean }) {
  const content = (
    <>
      <span aria-hidden className={classes.letter}>
        {letter}
      </span>
      <span>
        <Text span fw={600} display="block">
          {title}
        </Text>
        <Text span size="sm" c="dimmed">
          {text}
        </Text>
      </span>
    </>
  );
  if (!choose)
    return (
      <Link className={classes.card} to={pageOf(name)}>
        {content}
      </Link>
    );
  return (
    <UnstyledButton className={classes.card} disabled={disabled} onClick={() => choose(name)}>
      {content}
    </UnstyledButton>
  );
}
