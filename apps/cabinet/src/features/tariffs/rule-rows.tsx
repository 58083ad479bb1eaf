import { ActionIcon, Badge, Box, Button, Group, Input, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { IconCopy, IconEdit, IconPlus, IconTrash } from '../../ui/icons.ts';
import type { Rule } from './catalogue.api.ts';
import { ruleSentence } from './rule-sentence.ts';
import { useRuleWords } from './use-rule-words.ts';

/** A rule and its place: behind the last one, it is a new one. */
export interface EditedRule {
  rule: Rule | null;
  at: number;
}

interface RuleRowsProps {
  rules: Rule[];
  source: string;
  field: (path: string) => BoundField;
  onChange: (rules: Rule[]) => void;
  onEdit: (edited: EditedRule) => void;
  /** Further buttons beside that which adds a rule. */
  children?: ReactNode;
}

/** The rules of a tariff in sentences; each is changed in a dialog of its own. */
export function RuleRows(props: RuleRowsProps) {
  const { rules, source, field, onChange, onEdit, children } = props;
  const { t } = useTranslation();
  const words = useRuleWords(rules);
  const add = () => onEdit({ rule: null, at: rules.length });
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
            onEdit={() => onEdit({ rule, at })}
            onCopy={() => onEdit({ rule, at: rules.length })}
            onRemove={() => onChange(rules.filter((other) => other !== rule))}
          />
        ))}
      </Stack>
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
