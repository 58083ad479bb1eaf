import { Button, Group, Loader, Popover, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Icon } from '@tabler/icons-react';
import { IconArrowUp, IconColumns, IconViews, IconX } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import type { GridProps } from './grid-props.ts';
import classes from './grid.module.css';
import { isFiltered } from '../state/list-state.ts';
import type { Selection } from '../state/use-selection.ts';

// Rarely opened, so their code is loaded when they are.
const loading = <Loader size="sm" />;
const ViewSettingsPanel = later(
  async () => (await import('./view-settings-panel.tsx')).ViewSettingsPanel,
  loading,
);
const ViewsPanel = later(async () => (await import('./views-panel.tsx')).ViewsPanel, loading);

type ListBarProps<T extends { id: string; updatedAt?: string }> = Pick<
  GridProps<T>,
  'columns' | 'list' | 'control' | 'bulk' | 'filters'
> & {
  selection: Selection<T>;
  /** New rows that are not shown yet. */
  newCount: number;
  onShowNew: () => void;
};

/** Above the rows: the filters or the actions for the selected rows; views and view settings. */
export function ListBar<T extends { id: string; updatedAt?: string }>(props: ListBarProps<T>) {
  const { columns, list, control, selection, bulk, filters, newCount, onShowNew } = props;
  const { t } = useTranslation();
  const { rows, clear } = selection;
  const isSelecting = !!bulk && rows.length > 0;
  const hasRows = list.loading || list.rows.length > 0 || isFiltered(control.state);
  return (
    <div
      className={classes.tools}
      data-active={isSelecting || newCount > 0 || undefined}
      data-selecting={isSelecting || undefined}
    >
      <div className={classes.filters}>{filters}</div>
      {isSelecting && (
        <Group
          gap="xs"
          className={classes.selected}
          role="group"
          aria-label={t('list:select.actions')}
        >
          <Text size="sm" fw={600} role="status">
            {t('list:select.count', { count: rows.length })}
          </Text>
          {bulk(rows, clear)}
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconX size={16} aria-hidden />}
            onClick={clear}
          >
            {t('list:select.clear')}
          </Button>
        </Group>
      )}
      {hasRows && (
        <Group gap={4} mih={36} justify="flex-end">
          {newCount > 0 && (
            <Button
              size="xs"
              leftSection={<IconArrowUp size={16} aria-hidden />}
              onClick={onShowNew}
            >
              {t('list:waiting', { count: newCount })}
            </Button>
          )}
          <Tool label={t('list:views.title')} icon={IconViews} shortcut="v">
            <ViewsPanel control={control} />
          </Tool>
          <Tool label={t('list:viewSettings.title')} icon={IconColumns}>
            <ViewSettingsPanel columns={columns} control={control} />
          </Tool>
        </Group>
      )}
    </div>
  );
}

interface ToolProps {
  label: string;
  icon: Icon;
  shortcut?: string;
  children: ReactNode;
}

function Tool({ label, icon: ToolIcon, shortcut, children }: ToolProps) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus withRoles width={300}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          className={classes.tool}
          aria-label={label}
          leftSection={<ToolIcon size={16} aria-hidden />}
          aria-keyshortcuts={shortcut}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="sm">
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
