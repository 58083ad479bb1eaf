import { ActionIcon, Button, Combobox, Group, Textarea, Tooltip, useCombobox } from '@mantine/core';
import type { SendingType } from '@heliograph/contract';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  IconArrowBack,
  IconArrowForward,
  IconGenerate,
  IconLink,
  IconVariable,
} from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { useSettings } from '../../../core/settings.ts';
import { SegmentMeter } from './segment-meter.tsx';
import { carriesCode } from './type-parts.ts';
import { useTextHistory } from './use-text-history.ts';
import { VariableOptions } from './variable-options.tsx';
import { useWizard } from './wizard-context.ts';
import { insertAt, insertVariable, openVariable, type Edit } from './variables.ts';

const GeneratorDialog = later(async () => (await import('./generator-dialog.tsx')).GeneratorDialog);
const UtmDialog = later(async () => (await import('./utm-dialog.tsx')).UtmDialog);

interface TextEditorProps {
  type: SendingType;
  value: string;
  onChange: (text: string) => void;
  label: string;
  required: boolean;
  error: ReactNode;
}

/** The text of a message: variables by `{`, a history of its own, a link builder, and what it takes. */
export function TextEditor({ type, value, onChange, label, required, error }: TextEditorProps) {
  const { t } = useTranslation();
  const { sample } = useWizard();
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'link' | 'generator' | null>(null);
  const hasGenerator = useSettings().tools.textGenerator && !carriesCode(type);
  const combobox = useCombobox({ opened: typed !== null, onDropdownClose: () => setTyped(null) });
  const history = useTextHistory(value, onChange);

  // What answers best is what Enter takes.
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (typed !== null) selectFirstOption();
  }, [typed, selectFirstOption]);

  const put = ({ text, caret }: Edit) => {
    history.put(text);
    setTyped(null);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    });
  };
  const selection = () => ({
    start: area.current?.selectionStart ?? value.length,
    end: area.current?.selectionEnd ?? value.length,
  });
  /** Opens the menu as if the brace had been typed. */
  const openMenu = () => {
    const { start, end } = selection();
    const edit = insertAt(value, start, end, '{');
    put(edit);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isRedo = event.code === 'KeyY' || (event.code === 'KeyZ' && event.shiftKey);
    if (!isRedo && event.code !== 'KeyZ') return;
    event.preventDefault();
    if (isRedo) history.redo();
    else history.undo();
  };

  return (
    <div>
      <Combobox
        store={combobox}
        position="bottom-start"
        width={280}
        onOptionSubmit={(name) => put(insertVariable(value, selection().start, name))}
      >
        {/* While the menu is closed the arrows belong to the text. */}
        <Combobox.Target withKeyboardNavigation={typed !== null} targetType="input">
          <Textarea
            ref={area}
            label={label}
            description={t('send:textHint')}
            required={required}
            autosize
            minRows={4}
            maxRows={14}
            value={value}
            onChange={(event) => {
              const { value: text, selectionStart } = event.currentTarget;
              history.type(text);
              setTyped(openVariable(text, selectionStart));
            }}
            onBlur={() => setTyped(null)}
            onKeyDown={onKeyDown}
            error={error}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <VariableOptions typed={typed ?? ''} />
        </Combobox.Dropdown>
      </Combobox>
      <Group justify="space-between" gap="xs" mt={6} role="toolbar" aria-label={t('send:tools')}>
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconVariable size={16} aria-hidden />}
            // Before the field loses its place.
            onMouseDown={(event) => event.preventDefault()}
            onClick={openMenu}
          >
            {t('send:variable')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconLink size={16} aria-hidden />}
            onClick={() => setDialog('link')}
          >
            {t('send:utm.open')}
          </Button>
          {hasGenerator && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconGenerate size={16} aria-hidden />}
              onClick={() => setDialog('generator')}
            >
              {t('send:generator.open')}
            </Button>
          )}
        </Group>
        <Group gap={2}>
          {(['undo', 'redo'] as const).map((act) => (
            <Tooltip key={act} label={t(`send:${act}`)}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t(`send:${act}`)}
                disabled={!history.can[act]}
                onClick={history[act]}
              >
                {act === 'undo' ? (
                  <IconArrowBack size={18} aria-hidden />
                ) : (
                  <IconArrowForward size={18} aria-hidden />
                )}
              </ActionIcon>
            </Tooltip>
          ))}
        </Group>
      </Group>
      <SegmentMeter type={type} text={value} values={sample.values} onReplace={history.put} />
      {dialog === 'link' && (
        <UtmDialog
          onClose={() => setDialog(null)}
          onInsert={(link) => {
            const { start, end } = selection();
            put(insertAt(value, start, end, link));
          }}
        />
      )}
      {dialog === 'generator' && (
        <GeneratorDialog
          channel={type}
          text={value}
          onClose={() => setDialog(null)}
          onApply={(text) => put({ text, caret: text.length })}
        />
      )}
    </div>
  );
}
