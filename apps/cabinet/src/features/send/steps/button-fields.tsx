import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Input,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconPlus, IconTrash } from '../../../ui/icons.ts';
import { focusDrawn, useMessage } from '../form/send-form.ts';
import { partsOf } from '../form/type-parts.ts';

const TEXT_LENGTH = 30;
const LINK_LENGTH = 2048;

/** The buttons under a message, as many as its type may have. */
export function ButtonFields({ fallback }: { fallback: number | null }) {
  const { message } = useMessage(fallback);
  const { button, buttons } = partsOf(message.type);
  if (button) return <LinkButton fallback={fallback} />;
  return <ActionButtons fallback={fallback} max={buttons} />;
}

/** Viber: one button that opens a link. */
function LinkButton({ fallback }: { fallback: number | null }) {
  const { t } = useTranslation();
  const { message, set, field, pathOf } = useMessage(fallback);
  const { button } = message.payload;
  const path = pathOf('payload.button');
  const change = (to: typeof button) => {
    set('button', to);
    focusDrawn(path, 'nearest');
  };
  if (!button) {
    const add = () => change({ text: '', url: '' });
    return <AddButton label={t('send:addButton')} path={path} onClick={add} />;
  }
  return (
    <Fieldset legend={t('send:button')} data-path={path}>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <SimpleGrid cols={{ base: 1, xs: 2 }} flex={1}>
          <TextInput
            label={t('send:buttonText')}
            required
            maxLength={TEXT_LENGTH}
            {...field('payload.button.text')}
          />
          <TextInput
            label={t('send:buttonLink')}
            description={t('send:linkHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            type="url"
            maxLength={LINK_LENGTH}
            placeholder="https://"
            {...field('payload.button.url')}
          />
        </SimpleGrid>
        <Remove label={t('send:removeButton', { number: 1 })} onClick={() => change(null)} />
      </Group>
    </Fieldset>
  );
}

/** VK, OK and WhatsApp: buttons with a link or an answer. */
function ActionButtons({ fallback, max }: { fallback: number | null; max: number }) {
  const { t } = useTranslation();
  const { message, set, field, pathOf, errorOf } = useMessage(fallback);
  const { buttons } = message.payload;
  const rowOf = (at: number | 'add') => pathOf(`payload.buttons.${at}`);
  const add = () => {
    set('buttons', [...buttons, { text: '', action: '' }]);
    focusDrawn(rowOf(buttons.length), 'nearest');
  };
  /** The next one takes its place and the focus, after the last one the way to another. */
  const remove = (at: number) => {
    set(
      'buttons',
      buttons.filter((_, i) => i !== at),
    );
    focusDrawn(rowOf(at < buttons.length - 1 ? at : 'add'), 'nearest');
  };
  const label = t('send:addButtonOf', { number: buttons.length, max });
  if (!buttons.length) return <AddButton label={label} path={rowOf('add')} onClick={add} />;
  return (
    <Fieldset legend={t('send:buttons')} data-path={pathOf('payload.buttons')}>
      <Stack gap="sm">
        {errorOf('payload.buttons') && <Input.Error>{errorOf('payload.buttons')}</Input.Error>}
        {buttons.map((_, i) => (
          <Group key={i} align="flex-start" gap="sm" wrap="nowrap" data-path={rowOf(i)}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} flex={1}>
              <TextInput
                label={t('send:buttonTextOf', { number: i + 1 })}
                required
                maxLength={TEXT_LENGTH}
                {...field(`payload.buttons.${i}.text`)}
              />
              <TextInput
                label={t('send:buttonActionOf', { number: i + 1 })}
                required
                maxLength={LINK_LENGTH}
                {...field(`payload.buttons.${i}.action`)}
              />
            </SimpleGrid>
            <Remove label={t('send:removeButton', { number: i + 1 })} onClick={() => remove(i)} />
          </Group>
        ))}
        <AddButton
          label={label}
          path={rowOf('add')}
          disabled={buttons.length >= max}
          onClick={add}
        />
      </Stack>
    </Fieldset>
  );
}

interface ActProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

function AddButton({ label, path, ...props }: ActProps & { path: string }) {
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        data-path={path}
        leftSection={<IconPlus size={16} aria-hidden />}
        {...props}
      >
        {label}
      </Button>
    </div>
  );
}

function Remove({ label, onClick }: ActProps) {
  return (
    <ActionIcon variant="subtle" color="red" size="lg" mt={24} aria-label={label} onClick={onClick}>
      <IconTrash size={18} aria-hidden />
    </ActionIcon>
  );
}
