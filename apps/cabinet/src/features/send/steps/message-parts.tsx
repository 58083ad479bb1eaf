import { Group, Stack, Text, TextInput } from '@mantine/core';
import type { MediaField } from '@heliograph/domain';
import { useTranslation } from 'react-i18next';
import { later } from '../../../ui/later.tsx';
import { SendernameSelect } from '../../sendernames/sendername-select.tsx';
import { AttachmentField } from '../media/attachment-field.tsx';
import { useMessage } from '../form/send-form.ts';
import { FormatSwitch } from '../../../ui/text-format.tsx';
import { TextEditor } from '../text/text-editor.tsx';
import { needsText, partsOf } from '../form/type-parts.ts';

const ButtonFields = later(async () => (await import('./button-fields.tsx')).ButtonFields);
const VoiceParts = later(async () => (await import('../media/voice-parts.tsx')).VoiceParts);

/** Sender, text, files and buttons of the message itself (`null`), or of a fallback by its place. */
export function MessageParts({ fallback }: { fallback: number | null }) {
  const { t } = useTranslation();
  const { message, set, field, pathOf, errorOf } = useMessage(fallback);
  const { type, payload } = message;
  const parts = partsOf(type);
  return (
    <Stack>
      <div data-path={pathOf('payload.sender')}>
        {type === 'wapi' ? (
          <Text size="sm">{t('send:wapiSender')}</Text>
        ) : (
          <SendernameSelect
            // Whatever was typed for one channel is none of the next one's business.
            key={type}
            type={type}
            value={payload.sender}
            onChange={(name) => set('sender', name)}
            error={errorOf('payload.sender')}
          />
        )}
      </div>
      {parts.subject && (
        <TextInput label={t('send:subject')} maxLength={250} {...field('payload.subject')} />
      )}
      {parts.text && !parts.audio && (
        <div data-path={pathOf('payload.text')}>
          {parts.format && (
            <FormatSwitch value={payload.format} onChange={(format) => set('format', format)} />
          )}
          <TextEditor
            type={type}
            label={t('send:text')}
            required={needsText(type)}
            value={payload.text}
            onChange={(text) => set('text', text)}
            error={errorOf('payload.text')}
            format={parts.format ? payload.format : 'plain'}
          />
        </div>
      )}
      {parts.audio && <VoiceParts fallback={fallback} />}
      <Attachments fallback={fallback} />
      {(parts.button || parts.buttons > 0) && <ButtonFields fallback={fallback} />}
    </Stack>
  );
}

/** An image or a file; a channel that takes both carries one of them. */
function Attachments({ fallback }: { fallback: number | null }) {
  const { t } = useTranslation();
  const { message, set, pathOf, errorOf } = useMessage(fallback);
  const { type, payload } = message;
  const { image, file, video } = partsOf(type);
  if (!image && !file) return null;
  const value = (image && payload.image) || (file && payload.file) || null;
  const choose = (id: string | null, media: MediaField) => {
    set('image', media === 'image' ? id : null);
    set('file', media === 'file' ? id : null);
  };
  return (
    // What carries either is marked for both.
    <Group align="flex-start" gap="sm" data-path={pathOf('payload.file')}>
      <AttachmentField
        type={type}
        media={[...(image ? (['image'] as const) : []), ...(file ? (['file'] as const) : [])]}
        label={
          image && file ? t('send:addAttachment') : image ? t('send:addImage') : t('send:addFile')
        }
        value={value}
        onChange={choose}
        error={errorOf('payload.image') ?? errorOf('payload.file')}
        field={pathOf(image ? 'payload.image' : 'payload.file')}
      />
      {video && (
        <AttachmentField
          type={type}
          media={['video']}
          label={t('send:addVideo')}
          value={payload.video}
          onChange={(id) => set('video', id)}
          error={errorOf('payload.video')}
          field={pathOf('payload.video')}
        />
      )}
    </Group>
  );
}
