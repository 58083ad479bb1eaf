import type { SendingType, StoredFile } from '@heliograph/contract';
import { mediaError, mediaRule, type FilePreset, type MediaField } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../../core/formats.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FileSelect } from '../../storage/file-select.tsx';

/** The fields of a type that take the file, the most likely first. */
interface Place {
  type: SendingType;
  fields: readonly MediaField[];
}

interface FilePickerProps {
  place: Place;
  title: string;
  onClose: () => void;
  /** With the field that takes its type. */
  onPick: (file: StoredFile, media: MediaField) => void;
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
    <Dialog opened onClose={onClose} title={title} size={600}>
      <FileSelect
        preset={presetOf(place)}
        types={typesFor(place)}
        misfit={misfit}
        onPick={(file) => onPick(file, fieldFor(place, file)!)}
      />
    </Dialog>
  );
}

/** MIME types that some field takes; none where one takes any. */
function typesFor({ type, fields }: Place): string[] {
  const types = fields.map((field) => mediaRule(type, field)?.types ?? null);
  return types.includes(null) ? [] : types.flatMap((some) => some ?? []);
}

type File = Parameters<typeof mediaError>[2];

/** The field that takes a file; null when none does. */
const fieldFor = ({ type, fields }: Place, file: File): MediaField | null =>
  fields.find((field) => mediaError(type, field, file) === null) ?? null;

/** Why no field takes it, in words. */
function misfitText(t: TFunction, formats: Formats, { type, fields }: Place, file: File): string {
  const tooLarge = fields.find((field) => mediaError(type, field, file) === 'file_size');
  if (!tooLarge) return t(`send:wrongKind.${fields.length > 1 ? 'any' : fields[0]}`);
  return t('send:tooLarge', { size: formats.bytes(mediaRule(type, tooLarge)!.maxSize!) });
}
