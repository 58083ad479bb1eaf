import { TEST_TOKEN_PERMISSIONS, type Permission } from '@heliograph/contract';
import { Box, Button, Checkbox, Group, Radio, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import {
  actionText,
  nounText,
  permissionGroups,
  type PermissionGroup,
} from './permission-words.ts';

/** Whether a test token can have it. */
export const isOfTests = (name: Permission): boolean => TEST_TOKEN_PERMISSIONS.includes(name);

interface PermissionChoiceProps {
  isTest: boolean;
  isLimited: boolean;
  value: Permission[];
  onChange: (change: { isLimited?: boolean; permissions?: Permission[] }) => void;
}

/** All permissions of the user, or some of them, chosen one by one or by noun. */
export function PermissionChoice({ isTest, isLimited, value, onChange }: PermissionChoiceProps) {
  const { t } = useTranslation();
  const can = useCan();
  // What the token has stays to be chosen, although the user may have lost it.
  const groups = useMemo(
    () =>
      permissionGroups(
        (name) => (can(name) || value.includes(name)) && (!isTest || isOfTests(name)),
      ),
    [can, isTest, value],
  );
  const choose = (permissions: Permission[]) => onChange({ permissions });
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('tokens:permissions')}
        description={t('tokens:permissionsHint')}
        value={isLimited ? 'chosen' : 'all'}
        onChange={(choice) => onChange({ isLimited: choice === 'chosen' })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={t(isTest ? 'tokens:allOfTests' : 'tokens:allPermissions')} />
          <Radio value="chosen" label={t('tokens:chosenPermissions')} />
        </Stack>
      </Radio.Group>
      {isLimited && (
        <>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              onClick={() => choose(groups.flatMap(({ names }) => names))}
            >
              {t('tokens:selectAll')}
            </Button>
            <Button variant="default" size="xs" onClick={() => choose([])}>
              {t('tokens:selectNone')}
            </Button>
          </Group>
          {groups.map((group) => (
            <NounPermissions key={group.noun} group={group} value={value} onChange={choose} />
          ))}
        </>
      )}
    </Stack>
  );
}

interface NounPermissionsProps {
  group: PermissionGroup;
  value: Permission[];
  onChange: (value: Permission[]) => void;
}

function NounPermissions({ group: { noun, names }, value, onChange }: NounPermissionsProps) {
  const { t } = useTranslation();
  const title = nounText(t, noun);
  const named = (name: Permission) =>
    t('common:labelled', { label: title, value: actionText(t, name) });
  const chosen = names.filter((name) => value.includes(name));
  const others = value.filter((name) => !names.includes(name));
  const isWhole = chosen.length === names.length;
  const [only] = names;
  return (
    <Box role="group" aria-label={title}>
      <Checkbox
        label={names.length === 1 ? named(only!) : title}
        checked={isWhole}
        indeterminate={!isWhole && chosen.length > 0}
        onChange={() => onChange(isWhole ? others : [...others, ...names])}
        styles={{ label: { fontWeight: 500 } }}
      />
      {names.length > 1 && (
        <Group gap="md" ml={32} mt={6}>
          {names.map((name) => (
            <Checkbox
              key={name}
              size="sm"
              label={actionText(t, name)}
              aria-label={named(name)}
              checked={value.includes(name)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...value, name]
                    : value.filter((other) => other !== name),
                )
              }
            />
          ))}
        </Group>
      )}
    </Box>
  );
}
