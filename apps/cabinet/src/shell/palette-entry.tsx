import { Paper } from '@mantine/core';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { whenIdle } from '../core/when-idle.ts';
import { later } from '../ui/later.tsx';
import classes from './palette-entry.module.css';
import { PaletteField } from './palette-field.tsx';

interface PaletteEntryProps {
  opened: boolean;
  onClose: () => void;
  onKeys: () => void;
}

export interface PaletteProps extends PaletteEntryProps {
  text: string;
  onText: (text: string) => void;
  /** Enter was pressed before there was anything to choose from. */
  isEntered: boolean;
  onEnter: () => void;
}

const Palette = later<PaletteProps>(
  async () => (await import('./palette.tsx')).Palette,
  (props) => props.opened && <TypeAhead {...props} />,
);

/** The code of the palette is loaded after the first paint. Who opens it earlier loses no key. */
export function PaletteEntry(props: PaletteEntryProps) {
  const { opened, onClose } = props;
  const [isWanted, setWanted] = useState(false);
  const [text, setText] = useState('');
  const [isEntered, setEntered] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  const close = () => {
    onClose();
    setText('');
    setEntered(false);
  };
  return (
    (opened || isWanted) && (
      <Palette
        {...props}
        onClose={close}
        text={text}
        onText={setText}
        isEntered={isEntered}
        onEnter={() => setEntered(true)}
      />
    )
  );
}

/** The field of the palette at its place, and nothing to choose from yet. */
function TypeAhead({ text, onText, onEnter, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onEnter();
    if (event.key === 'Escape') onClose();
    // The focus stays in the dialog.
    if (event.key === 'Tab') event.preventDefault();
  };
  return (
    <div className={classes.overlay}>
      <Paper
        role="dialog"
        aria-modal
        aria-label={t('shell:palette.open')}
        className={classes.dialog}
        p="xs"
        shadow="xl"
      >
        <PaletteField text={text} onText={onText} onKeyDown={onKeyDown} />
      </Paper>
    </div>
  );
}
