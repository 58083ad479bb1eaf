import type { SendingType } from '@heliograph/contract';
import type { TextFormat } from '@heliograph/domain';
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../core/settings.ts';
import { IconArrowBack, IconArrowForward, IconGenerate, IconLink } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import {
  VariableArea,
  type VariableAreaHandle,
  VariableButton,
} from '../../../ui/variable-area.tsx';
import { FormatTools } from '../../../ui/text-format.tsx';
import { insertAt } from '../../../ui/variables.ts';
import { useCodedText } from '../form/click-links.ts';
import { carriesCode } from '../form/type-parts.ts';
import { useWizard } from '../form/send-form.ts';
import { SegmentMeter } from './segment-meter.tsx';
import { useTextHistory } from './text-history.ts';

const GeneratorDialog = later(async () => (await import('./generator-dialog.tsx')).GeneratorDialog);
const UtmDialog = later(async () => (await import('./utm-dialog.tsx')).UtmDialog);

interface TextEditorProps {
  type: SendingType;
  value: string;
  onChange: (text: string) => void;
  label: string;
  required: boolean;
  error: ReactNode;
  format?: TextFormat;
}

/** The text of a message: variables by `{`, a history of its own, a link builder, and what it takes. */
export function TextEditor(props: TextEditorProps) {
  const { type, value, onChange, label, required, error, format = 'plain' } = props;
  const { t } = useTranslation();
  const { sample } = useWizard();
  const sent = useCodedText();
  const area = useRef<VariableAreaHandle>(null);
  const [dialog, setDialog] = useState<'link' | 'generator' | null>(null);
  const hasGenerator = useSettings().tools.textGenerator && !carriesCode(type);
  const history = useTextHistory(value, onChange);

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
      <VariableArea
        ref={area}
        label={label}
        description={t('send:textHint')}
        required={required}
        value={value}
        onType={history.type}
        onPut={history.put}
        onKeyDown={onKeyDown}
        error={error}
      />
      {format === 'markdown' && <FormatTools area={area} text={value} />}
      <TextTools
        history={history}
        onVariable={() => area.current?.openMenu()}
        onLink={() => setDialog('link')}
        onGenerate={hasGenerator ? () => setDialog('generator') : undefined}
      />
      <SegmentMeter
        type={type}
        text={value}
        values={sample.values}
        sent={sent}
        onReplace={history.put}
      />
      {dialog === 'link' && (
        <UtmDialog
          onClose={() => setDialog(null)}
          onInsert={(link) => {
            const { start, end } = area.current!.selection();
            area.current!.put(insertAt(value, start, end, link));
          }}
        />
      )}
      {dialog === 'generator' && (
        <GeneratorDialog
          channel={type}
          text={value}
          onClose={() => setDialog(null)}
          onApply={(text) => area.current?.put({ text, caret: text.length })}
        />
      )}
    </div>
  );
}

interface TextToolsProps {
  history: ReturnType<typeof useTextHistory>;
  onVariable: () => void;
  onLink: () => void;
  /** Absent where no text is generated. */
  onGenerate?: () => void;
}

/** Tools of a text: variables, links, the generator, undo and redo. */
function TextTools({ history, onVariable, onLink, onGenerate }: TextToolsProps) {
  const { t } = useTranslation();
  return (
    <Group justify="space-between" gap="xs" mt={6} role="toolbar" aria-label={t('send:tools')}>
      <Group gap={6}>
        <VariableButton onClick={onVariable} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={onLink}
        >
          {t('send:utm.open')}
        </Button>
        {onGenerate && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconGenerate size={16} aria-hidden />}
            onClick={onGenerate}
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
  );
}
