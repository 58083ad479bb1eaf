import { Combobox, ScrollArea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { matching } from './variables.ts';

/** The variables that answer what was typed, with what each stands for. */
export function VariableOptions({ typed }: { typed: string }) {
  const { t } = useTranslation();
  const names = matching(typed);
  return (
    <Combobox.Options>
      <ScrollArea.Autosize mah={220} type="scroll">
        {names.map((name) => (
          <Combobox.Option key={name} value={name}>
            {`{${name}}`}{' '}
            {name.startsWith('custom')
              ? t('send:variableName.custom', { number: Number(name.slice(6)) })
              : t(`send:variableName.${name}`)}
          </Combobox.Option>
        ))}
      </ScrollArea.Autosize>
      {names.length === 0 && <Combobox.Empty>{t('send:noVariable')}</Combobox.Empty>}
    </Combobox.Options>
  );
}
