import { UnstyledButton } from '@mantine/core';
import type { SendingType } from '@heliograph/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './type-cards.module.css';
import { usePrices } from '../form/use-prices.ts';

/** Cards that are shown first; the others on demand. */
const MAX_SHOWN = 6;

interface TypeCardsProps {
  types: SendingType[];
  value: SendingType;
  onChange: (type: SendingType) => void;
}

/** The channels of the account, each with its lowest price. */
export function TypeCards({ types, value, onChange }: TypeCardsProps) {
  const { t } = useTranslation();
  const name = useId();
  const [all, setAll] = useState(false);
  const { priceText } = usePrices();
  const shown = all ? types : types.filter((type, i) => i < MAX_SHOWN || type === value);
  return (
    <fieldset className={classes.cards}>
      <legend className={classes.legend}>{t('send:type')}</legend>
      {shown.map((type) => (
        <label key={type} className={classes.card}>
          <input
            type="radio"
            name={name}
            value={type}
            checked={type === value}
            onChange={() => onChange(type)}
          />
          <span className={classes.name}>{t(`common:type.${type}`)}</span>
          <span className={classes.price}>{priceText(type)}</span>
        </label>
      ))}
      {shown.length < types.length && (
        <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
          {t('send:moreTypes', { count: types.length - shown.length })}
        </UnstyledButton>
      )}
    </fieldset>
  );
}
