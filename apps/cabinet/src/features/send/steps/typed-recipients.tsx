import { Button, Group, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRef, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withEntries } from '../../../core/entries.ts';
import { fetched } from '../../../core/lost-chunk.ts';
import { useSettings } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { RecipientsSelect } from '../../contact-lists/recipients-select.tsx';
import type { Checked } from '../form/check-recipients.ts';
import { useSendForm } from '../form/send-form.ts';
import type { Side } from '../form/send-values.ts';

/** So many of the wrong lines are listed; the others are counted. */
const MAX_LISTED = 20;

/** Pasted lines, read while they are written; what nothing is sent to is named with its reason. */
export function TypedRecipients({ side }: { side: Side }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useSendForm();
  const { type } = form.values;
  const kind = type === 'email' ? 'email' : 'phone';
  const { typed } = form.values[side];
  const others = form.values[side === 'include' ? 'exclude' : 'include'].typed;
  const checked = useChecked(typed, kind, others);
  const wrong = checked?.wrong ?? [];
  const put = (text: string) => {
    form.clearErrors('include', 'exclude');
    form.set({ [side]: { ...form.values[side], typed: text } });
  };
  const area = useRef<HTMLTextAreaElement>(null);
  const invalid = wrong.filter(({ fault }) => fault !== 'duplicate').length;
  return (
    <div>
      <Textarea
        ref={area}
        label={t(`send:typed.${kind}`)}
        description={t(`send:typedHint.${kind}`)}
        autosize
        minRows={4}
        maxRows={12}
        value={typed}
        inputMode={kind === 'email' ? 'email' : 'tel'}
        spellCheck={false}
        onChange={(event) => put(event.currentTarget.value)}
        error={form.errors[side]}
      />

      <RecipientsSelect
        phones="first"
        pick={({ phones, emails }) => (kind === 'email' ? emails : phones)}
        onRead={(read) => put(withEntries(typed, read))}
      />
      <Text size="xs" c="dimmed" mt={4} mih={18} role="status" className="numeric">
        {checked &&
          [
            t('send:valid', { count: checked.valid, number: formats.number(checked.valid) }),
            t('send:duplicates', {
              count: checked.duplicates,
              number: formats.number(checked.duplicates),
            }),
            t('send:invalid', { count: invalid, number: formats.number(invalid) }),
          ].join(' · ')}
      </Text>
      {wrong.length > 0 && (
        <Group align="flex-start" justify="space-between" gap="sm" mt={4}>
          <ul
            style={{ margin: 0, paddingInlineStart: 18, fontSize: 13 }}
            aria-label={t('send:wrongLines')}
          >
            {wrong.slice(0, MAX_LISTED).map(({ raw, fault }, i) => (
              <li key={i} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{raw.slice(0, 60)}</bdi>: {t(`send:fault.${fault}`)}
              </li>
            ))}
            {wrong.length > MAX_LISTED && (
              <li>{t('send:moreWrong', { count: wrong.length - MAX_LISTED })}</li>
            )}
          </ul>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              put(checked!.clean.join('\n'));
              // This button is gone then.
              area.current?.focus({ preventScroll: true });
            }}
          >
            {t('send:clean')}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The parsed recipients; null while there are none. Numbering plans are loaded with the first line. */
function useChecked(pasted: string, kind: 'phone' | 'email', others: string): Checked | null {
  const { country } = useSettings().sendings;
  const [text] = useDebouncedValue(pasted.trim(), 300);
  const [checked, setChecked] = useState<Checked | null>(null);
  useEffect(() => {
    if (!text) return setChecked(null);
    let current = true;
    void fetched(() => import('../form/check-recipients.ts')).then(({ checkRecipients }) => {
      if (current) setChecked(checkRecipients(text, kind, others, country));
    });
    return () => {
      current = false;
    };
  }, [text, kind, others, country]);
  return text ? checked : null;
}
