import type { StoredFile } from '@heliograph/contract';
import type { FilePreset } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FileSelect } from '../../storage/file-select.tsx';
import { fieldFor, misfitText, typesFor, type Place } from './file-kinds.ts';

interface FilePickerProps {
  place: Place;
  title: string;
  onClose: () => void;
  onPick: (file: StoredFile) => void;
}

/** What an upload is restricted to. A channel may accept less; files that it does not accept are marked. */
function presetOf({ fields }: Place): FilePreset {
  const [field] = fields;
  const isOne = fields.length === 1 && (field === 'image' || field === 'audio');
  return isOne ? field : 'all';
}

/** A file of the storage, or a new one, for a message. */
export function FilePicker({ place, title, onClose, onPick }: FilePickerProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const misfit = (file: StoredFile) =>
    fieldFor(place, file) === null ? misfitText(t, formats, place, file) : null;
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <FileSelect
        preset={presetOf(place)}
        types={typesFor(place)}
        misfit={misfit}
        onPick={onPick}
      />
    </Dialog>
  );
}
