import type { SendernameType } from '@heliograph/contract';
import type { SenderNameError } from '@heliograph/domain';
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { IconCheck, IconCircle, IconX } from '../../ui/icons.ts';

interface NameRulesProps {
  id: string;
  type: z.infer<typeof SendernameType>;
  name: string;
  broken: SenderNameError[];
}

const RULES = ['length', 'characters'] as const;

/** The rules of a name, each with its state while the name is typed. */
export function NameRules({ id, type, name, broken }: NameRulesProps) {
  const { t } = useTranslation();
  return (
    <ul id={id} style={{ listStyle: 'none', margin: '6px 0 0', padding: 0 }}>
      {RULES.map((rule) => {
        const state = !name ? 'open' : broken.includes(rule) ? 'broken' : 'kept';
        const StateIcon = { open: IconCircle, broken: IconX, kept: IconCheck }[state];
        const color = {
          open: 'dimmed',
          broken: 'var(--app-red-text)',
          kept: 'var(--app-green-text)',
        }[state];
        return (
          <Group component="li" key={rule} gap={6} wrap="nowrap" c={color}>
            <StateIcon size={14} aria-hidden style={{ flex: 'none' }} />
            <Text size="sm" c="inherit">
              {t(`sendernames:rule.${type}.${rule}`)}
              {state !== 'open' && (
                <span className="visually-hidden"> {t(`sendernames:ruleState.${state}`)}</span>
              )}
            </Text>
          </Group>
        );
      })}
    </ul>
  );
}
