import { Combobox, ScrollArea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { matching, matchingClasses, written } from './variables.ts';

/** The options that match the text, each with its meaning: variables of a contact; in templates also character classes. */
export function VariableOptions({ typed, hasClasses }: { typed: string; hasClasses: boolean }) {
  const { t } = useTranslation();
  const names = matching(typed);
  const classes = hasClasses ? matchingClasses(typed) : [];
  const variables = names.map((name) => (
    <Combobox.Option key={name} value={`{${name}}`}>
      {`{${name}}`}{' '}
      {name.startsWith('custom')
        ? t('variable.name.custom', { number: Number(name.slice(6)) })
        : t(`variable.name.${name}`)}
    </Combobox.Option>
  ));
  return (
    <Combobox.Options aria-label={t('variable.insert')}>
      <ScrollArea.Autosize mah={220} type="scroll">
        {hasClasses ? (
          <>
            {names.length > 0 && (
              <Combobox.Group label={t('variable.personal')}>{variables}</Combobox.Group>
            )}
            {classes.length > 0 && (
              <Combobox.Group label={t('variable.classes')}>
                {classes.map((name) => (
                  <Combobox.Option key={name} value={written(name)}>
                    {written(name)} {t(`variable.class.${name}`)}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )}
          </>
        ) : (
          variables
        )}
      </ScrollArea.Autosize>
      {names.length + classes.length === 0 && <Combobox.Empty>{t('variable.none')}</Combobox.Empty>}
    </Combobox.Options>
  );
}
