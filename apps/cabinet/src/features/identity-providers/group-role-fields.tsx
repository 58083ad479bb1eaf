import { MAX_GROUP_ROLES, ROLES, type GroupRole, type Role } from '@heliograph/contract';
import { Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { SortableRows } from '../../ui/sortable-rows.tsx';

/** A role of a group in the form; an empty group is everybody. */
export interface GroupRoleValues {
  key: number;
  group: string;
  role: Role;
}

export const groupRoleValues = (roles: GroupRole[]): GroupRoleValues[] =>
  roles.map(({ group, role }, key) => ({ key, group: group ?? '', role }));

export const groupRolesOf = (rows: GroupRoleValues[]): GroupRole[] =>
  rows.map(({ group, role }) => ({ group: group.trim() || null, role }));

interface GroupRoleFieldsProps {
  rows: GroupRoleValues[];
  field: (path: string) => BoundField & { maxLength?: number | undefined };
  onChange: (rows: GroupRoleValues[]) => void;
}

/** Whom the provider of an account makes a member, and with which role: the first row that fits decides. */
export function GroupRoleFields({ rows, field, onChange }: GroupRoleFieldsProps) {
  const { t } = useTranslation();
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, { key, group: '', role: 'readOnly' }]);
  };
  return (
    <Fieldset legend={t('identityProviders:roles')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('identityProviders:rolesHint')}
        </Text>
        <SortableRows
          rows={rows}
          keyOf={({ key }) => key}
          nameOf={(_, i) => t('identityProviders:roleRow', { number: i + 1 })}
          onChange={onChange}
        >
          {(_, i, handle) => (
            <Group gap="xs" align="flex-end" wrap="nowrap" py={4}>
              <Group gap="xs" align="flex-start" flex={1}>
                <TextInput
                  {...field(`roles.${i}.group`)}
                  label={t('identityProviders:group')}
                  placeholder={t('identityProviders:everybody')}
                  autoComplete="off"
                  spellCheck={false}
                  style={{ flex: '1 1 140px' }}
                />
                <NativeSelect
                  {...field(`roles.${i}.role`)}
                  label={t('identityProviders:role')}
                  data={ROLES.map((value) => ({ value, label: t(`team:roles.${value}`) }))}
                  style={{ flex: '1 1 140px' }}
                />
              </Group>
              {rows.length > 1 && handle}
              <IconAction
                icon={IconTrash}
                label={t('identityProviders:removeRole', { number: i + 1 })}
                onClick={() => onChange(rows.filter((_, at) => at !== i))}
              />
            </Group>
          )}
        </SortableRows>
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={rows.length >= MAX_GROUP_ROLES}
            onClick={add}
          >
            {t('identityProviders:addRole')}
          </Button>
        </div>
        {rows.length > 0 && (
          <TextInput
            {...field('groupsClaim')}
            label={t('identityProviders:groupsClaim')}
            description={t('identityProviders:groupsClaimHint')}
            required
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Stack>
    </Fieldset>
  );
}
