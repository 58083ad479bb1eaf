import { ActionIcon, Badge, Box, Button, Group, Input, Paper, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { IconCopy, IconEdit, IconPlus, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import type { Rule } from './catalogue.api.ts';
import { ruleSentence } from './rule-sentence.ts';
import { useRuleWords } from './use-rule-words.ts';

const RuleDialog = later(async () => (await import('./rule-dialog.tsx')).RuleDialog);

interface RuleRowsProps {
  rules: Rule[];
  source: string;
  field: (path: string) => BoundField;
  onChange: (rules: Rule[]) => void;
  /** Further buttons beside that which adds a rule. */
  children?: ReactNode;
}

/** In the order in which they are tried: by priority, and among equals as they stand. */
const inOrder = (rules: Rule[]) => rules.toSorted((a, b) => b.priority - a.priority);

/** The rules of a tariff in sentences; each is changed in a dialog of its own. */
export function RuleRows({ rules, source, field, onChange, children }: RuleRowsProps) {
  const { t } = useTranslation();
  const words = useRuleWords(rules);
  const [edited, setEdited] = useState<{ rule: Rule | null; at: number } | null>(null);
  const add = () => setEdited({ rule: null, at: rules.length });
  const { error } = field('rules');
  return (
    <Box component="section" aria-labelledby="tariff-rules" data-path="rules">
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm" id="tariff-rules">
          {t('tariffs:rules')}
        </Text>
        <Group gap="xs">
          {children}
          <Button variant="default" size="xs" leftSection={<IconPlus size={16} />} onClick={add}>
            {t('tariffCatalogue:addRule')}
          </Button>
        </Group>
      </Group>
      {error && <Input.Error>{error}</Input.Error>}
      {!rules.length && (
        <Text size="sm" c="dimmed">
          {t('tariffCatalogue:noRules')}
        </Text>
      )}
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {rules.map((rule, at) => (
          <RuleRow
            key={`${at} ${JSON.stringify(rule)}`}
            rule={rule}
            sentence={ruleSentence(rule, source, words)}
            priority={words.formats.number(rule.priority)}
            bound={field(`rules.${at}`)}
            onEdit={() => setEdited({ rule, at })}
            onCopy={() => setEdited({ rule, at: rules.length })}
            onRemove={() => onChange(rules.filter((other) => other !== rule))}
          />
        ))}
      </Stack>
      <RuleDialog
        opened={!!edited}
        rule={edited?.rule ?? null}
        isNew={edited?.at === rules.length}
        source={source}
        onClose={() => setEdited(null)}
        onSave={(rule) => {
          if (edited) onChange(inOrder(rules.toSpliced(edited.at, 1, rule)));
          setEdited(null);
        }}
      />
    </Box>
  );
}

interface RuleRowProps {
  rule: Rule;
  sentence: string;
  priority: string;
  bound: BoundField;
  onEdit: () => void;
  onCopy: () => void;
  onRemove: () => void;
}

function RuleRow({ rule, sentence, priority, bound, onEdit, onCopy, onRemove }: RuleRowProps) {
  const { t } = useTranslation();
  return (
    <Paper component="li" withBorder p="xs" data-path={bound['data-path']}>
      <Group wrap="nowrap" gap="xs" align="flex-start">
        <Box flex={1} miw={0}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
          <Group gap="xs" mt={4}>
            {rule.action === 'decrease' && (
              <Badge variant="light" color="green" radius="sm" tt="none" fw={500}>
                {t('tariffs:discount')}
              </Badge>
            )}
            <Text size="xs" c="dimmed" className="numeric">
              {t('tariffCatalogue:priorityIs', { number: priority })}
            </Text>
          </Group>
          {bound.error && <Input.Error mt={4}>{bound.error}</Input.Error>}
        </Box>
        <Group gap={4} wrap="nowrap">
          <RowButton
            icon={IconEdit}
            label={t('tariffCatalogue:editRule', { sentence })}
            onClick={onEdit}
          />
          <RowButton
            icon={IconCopy}
            label={t('tariffCatalogue:copyRule', { sentence })}
            onClick={onCopy}
          />
          <RowButton
            icon={IconTrash}
            label={t('tariffCatalogue:removeRule', { sentence })}
            onClick={onRemove}
          />
        </Group>
      </Group>
    </Paper>
  );
}

interface RowButtonProps {
  icon: typeof IconEdit;
  label: string;
  onClick: () => void;
}

const RowButton = ({ icon: Icon, label, onClick }: RowButtonProps) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
    <Icon size={18} aria-hidden />
  </ActionIcon>
);
