import { Button, Checkbox, Fieldset, Radio, ScrollArea, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from './grid-column.ts';
import { shownColumns, type Density } from '../state/view-settings.ts';
import type { ListControl } from '../state/use-list-state.ts';

interface ViewSettingsPanelProps {
  columns: Pick<GridColumn<never>, 'id' | 'header' | 'isOptional' | 'hideBelow'>[];
  control: ListControl;
}

/** Columns and row spacing. */
export function ViewSettingsPanel({ columns, control }: ViewSettingsPanelProps) {
  const { t } = useTranslation();
  const { viewSettings, setViewSettings } = control;
  const shown = new Set(shownColumns(columns, viewSettings.columns).map((c) => c.id));
  return (
    <Stack gap="sm">
      <Fieldset legend={t('list:viewSettings.columns')} p="sm">
        <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars="y">
          <Stack gap="sm" p={2}>
            {columns.map(({ id, header }) => (
              <Checkbox
                key={id}
                label={header}
                checked={shown.has(id)}
                // The last column cannot be hidden.
                disabled={shown.size === 1 && shown.has(id)}
                onChange={(e) =>
                  setViewSettings({
                    columns: { ...viewSettings.columns, [id]: e.currentTarget.checked },
                  })
                }
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Fieldset>
      <Radio.Group
        label={t('list:viewSettings.density')}
        value={viewSettings.density}
        onChange={(density) => setViewSettings({ density: density as Density })}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="comfortable" label={t('list:viewSettings.comfortable')} />
          <Radio value="compact" label={t('list:viewSettings.compact')} />
        </Stack>
      </Radio.Group>
      <Button
        variant="default"
        onClick={() => setViewSettings({ columns: {}, density: 'comfortable' })}
      >
        {t('list:viewSettings.reset')}
      </Button>
    </Stack>
  );
}
