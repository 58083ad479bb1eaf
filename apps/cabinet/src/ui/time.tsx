import { useFormats } from '../core/use-formats.ts';

/** A moment in words; the full form in the tooltip. */
export function Time({ at }: { at: string }) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.dateTime(at)} className="numeric">
      {formats.dateTimeShort(at)}
    </time>
  );
}
