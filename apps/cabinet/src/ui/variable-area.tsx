import {
  Button,
  Combobox,
  Textarea,
  useCombobox,
  type TextareaProps,
  ScrollArea,
} from '@mantine/core';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { IconVariable } from './icons.ts';
import { useFieldTitle } from './use-field-name.ts';
import {
  insertAt,
  insertVariable,
  openVariable,
  type Edit,
  matching,
  matchingClasses,
  written,
} from './variables.ts';

/** The methods for tools beside the area. */
export interface VariableAreaHandle {
  selection: () => { start: number; end: number };
  /** Takes a text over, and the caret to where it belongs. */
  put: (edit: Edit) => void;
  /** Opens the menu as if the brace had been typed. */
  openMenu: () => void;
}

interface VariableAreaProps extends Omit<TextareaProps, 'ref' | 'value' | 'onChange'> {
  ref: Ref<VariableAreaHandle>;
  value: string;
  /** Text that was typed letter by letter. */
  onType: (text: string) => void;
  /** Text that was inserted at once. */
  onPut: (text: string) => void;
  /** Offers character classes too: a template for an operator has them, a sending does not. */
  hasClasses?: boolean;
}

/** A text with variables: `{` opens the menu of them. */
export function VariableArea(props: VariableAreaProps) {
  const { ref, value, onType, onPut, hasClasses = false, ...rest } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  /** The text before the button put its brace, and with it. */
  const offered = useRef<{ before: Edit; text: string } | null>(null);
  /** Nothing was chosen: a brace that was not typed is taken away again. */
  const leave = () => {
    setTyped(null);
    const { before, text } = offered.current ?? {};
    offered.current = null;
    if (!before || text !== value) return;
    onPut(before.text);
    requestAnimationFrame(() => {
      if (document.activeElement === area.current)
        area.current?.setSelectionRange(before.caret, before.caret);
    });
  };
  const combobox = useCombobox({ opened: typed !== null, onDropdownClose: leave });

  // Enter inserts the best match.
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (typed !== null) selectFirstOption();
  }, [typed, selectFirstOption]);

  const selection = () => ({
    start: area.current?.selectionStart ?? value.length,
    end: area.current?.selectionEnd ?? value.length,
  });
  const put = ({ text, caret }: Edit) => {
    onPut(text);
    setTyped(null);
    offered.current = null;
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    });
  };
  useImperativeHandle(ref, () => ({
    selection,
    put,
    openMenu() {
      const { start, end } = selection();
      const edit = insertAt(value, start, end, '{');
      put(edit);
      offered.current = { before: { text: value, caret: end }, text: edit.text };
      setTyped('');
    },
  }));

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={280}
      // Inside the dialog of the text, if there is one: outside of it the options could not be clicked.
      withinPortal={false}
      onOptionSubmit={(piece) => put(insertVariable(value, selection().start, piece))}
    >
      {/* While the menu is closed the arrows belong to the text. */}
      <Combobox.Target withKeyboardNavigation={typed !== null} targetType="input">
        <Textarea
          {...rest}
          ref={area}
          autosize
          minRows={4}
          maxRows={14}
          value={value}
          onChange={(event) => {
            const { value: text, selectionStart } = event.currentTarget;
            onType(text);
            setTyped(openVariable(text, selectionStart));
          }}
          onBlur={leave}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <VariableOptions typed={typed ?? ''} hasClasses={hasClasses} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

export function VariableButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconVariable size={16} aria-hidden />}
      // Before the field loses its place.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {t('variable.insert')}
    </Button>
  );
}

/** The options that match the text, each with its meaning: variables of a contact; in templates also character classes. */
function VariableOptions({ typed, hasClasses }: { typed: string; hasClasses: boolean }) {
  const { t } = useTranslation();
  const titleOf = useFieldTitle();
  const names = matching(typed);
  const classes = hasClasses ? matchingClasses(typed) : [];
  const variables = names.map((name) => (
    <Combobox.Option key={name} value={`{${name}}`}>
      {`{${name}}`}{' '}
      {titleOf(name) ??
        (name.startsWith('custom')
          ? t('variable.name.custom', { number: Number(name.slice(6)) })
          : t(`variable.name.${name}`))}
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
