import { Combobox, Group, Modal, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FIND_DEBOUNCE_MS } from '../core/list-request.ts';
import { fetched } from '../core/lost-chunk.ts';
import { OVER } from '../core/forms/on-top.ts';
import { keysOf } from '../core/query-keys.ts';
import { useSettings } from '../core/settings.ts';
import { Keys } from '../ui/keys.tsx';
import { matching, objectIn, type Command } from './commands.ts';
import type { PaletteProps } from './palette-entry.tsx';
import { PaletteField } from './palette-field.tsx';
import classes from './palette.module.css';
import { useCommands } from './use-commands.ts';

/** Finds pages, actions and objects by phone, id, title or name. */
export function Palette(props: PaletteProps) {
  const { t } = useTranslation();
  return (
    <Modal
      {...OVER}
      opened={props.opened}
      onClose={props.onClose}
      withCloseButton={false}
      size={600}
      padding="xs"
      yOffset="10dvh"
      // The next key may come at once.
      transitionProps={{ duration: 0 }}
      // It has no heading to be named by.
      attributes={{ content: { 'aria-label': t('shell:palette.open') } }}
    >
      <Search {...props} />
    </Modal>
  );
}

/** Results by an address or an id, and results by words. */
function useFound(typed: string): { exact: Command[]; named: Command[] } {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { permissions, sendings } = useSettings();
  const [text] = useDebouncedValue(typed, FIND_DEBOUNCE_MS);
  const object = objectIn(text);
  const { data } = useQuery({
    queryKey: keysOf('palette').of('get', object),
    queryFn: async ({ signal }) => {
      const { findById, findByWords, findPhone } = await fetched(
        () => import('./find-objects.ts'),
        false,
      );
      const { kind, value } = object!;
      if (kind === 'id') return findById(value, permissions, signal);
      const named = await findByWords(value, permissions, signal);
      return kind === 'phone' ? [...findPhone(value, sendings.country), ...named] : named;
    },
    enabled: !!object,
    // Results stay while the next letter is searched for.
    placeholderData: object?.kind === 'words' ? keepPreviousData : undefined,
    retry: false,
  });
  const all = (objectIn(typed) && object && data ? data : []).map(({ kind, name, to }) => ({
    id: `${kind} ${to}`,
    label: t(`shell:palette.found.${kind}`, { name }),
    run: () => void navigate(to),
  }));
  return object?.kind === 'words' ? { exact: [], named: all } : { exact: all, named: [] };
}

function Search({ text, onText, isEntered, onClose, onKeys }: PaletteProps) {
  const { t } = useTranslation();
  const { pages, actions } = useCommands(onKeys);
  const found = useFound(text);
  // There is no drop-down: the options are always there. Escape, which would close one, is kept from the dialog.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const groups = [
    { name: 'objects', commands: found.exact },
    { name: 'pages', commands: matching(pages, text) },
    { name: 'actions', commands: matching(actions, text) },
    // They are loaded later and must not replace the option that Enter selects.
    { name: 'objects', commands: found.named },
  ].filter(({ commands }) => commands.length > 0);
  const all = groups.flatMap(({ commands }) => commands);
  const key = all.map(({ id }) => id).join();
  // Enter takes the first one; the list has to be drawn before one of it can be chosen.
  useEffect(() => void combobox.selectFirstOption(), [key]); // eslint-disable-line react-hooks/exhaustive-deps
  const submit = (id: string) => {
    onClose();
    all.find((command) => command.id === id)?.run();
  };
  useEffect(() => {
    if (isEntered && all[0]) submit(all[0].id);
  }, []); // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <Combobox store={combobox} onOptionSubmit={submit}>
      <Combobox.EventsTarget>
        <PaletteField text={text} onText={onText} />
      </Combobox.EventsTarget>
      <Combobox.Options
        className={classes.options}
        aria-label={t('shell:palette.open')}
        // A scrollable element must be focusable.
        tabIndex={0}
      >
        {groups.map(({ name, commands }) => (
          <Combobox.Group key={name} label={t(`shell:palette.${name}`)}>
            {commands.map(({ id, label, keys }) => (
              <Combobox.Option key={id} value={id}>
                <Group justify="space-between" wrap="nowrap">
                  {label}
                  {keys && (
                    <span aria-hidden>
                      <Keys keys={keys} />
                    </span>
                  )}
                </Group>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {!all.length && <Combobox.Empty>{t('nothingFound')}</Combobox.Empty>}
      </Combobox.Options>
      <Text size="xs" c="dimmed" mt="xs" px="xs">
        {t('shell:palette.hint')}
      </Text>
    </Combobox>
  );
}
