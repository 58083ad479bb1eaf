import { Button, Checkbox, Fieldset, Radio, ScrollArea, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from './grid-column.ts';
import { shownColumns, type Density } from './look.ts';
import type { ListControl } from './use-list-state.ts';

interface LookPanelProps {
  columns: Pick<GridColumn<never>, 'id' | 'header' | 'isOptional' | 'hideBelow'>[];
  control: ListControl;
}

/** Which columns, and how close the rows stand. */
export function LookPanel({ columns, control }: LookPanelProps) {
  const { t } = useTranslation();
  const { look, setLook } = control;
  const shown = new Set(shownColumns(columns, look.columns).map((c) => c.id));
  return (
    <Stack gap="sm">
      <Fieldset legend={t('list:look.columns')} p="sm">
        <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars="y">
          <Stack gap="sm" p={2}>
            {columns.map(({ id, header }) => (
              <Checkbox
                key={id}
                label={header}
                checked={shown.has(id)}
                // The last one stays: a list without columns shows nothing.
                disabled={shown.size === 1 && shown.has(id)}
                onChange={(e) =>
                  setLook({ columns: { ...look.columns, [id]: e.currentTarget.checked } })
                }
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Fieldset>
      <Radio.Group
        label={t('list:look.density')}
        value={look.density}
        onChange={(density) => setLook({ density: density as Density })}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="comfortable" label={t('list:look.comfortable')} />
          <Radio value="compact" label={t('list:look.compact')} />
        </Stack>
      </Radio.Group>
      <Button variant="default" onClick={() => setLook({ columns: {}, density: 'comfortable' })}>
        {t('list:look.reset')}
      </Button>
    </Stack>
  );
}
