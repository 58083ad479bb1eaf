import {
  templates,
  type Conversation,
  type SendingType,
  type Template,
} from '@heliograph/contract';
import { isBlank, type Locale } from '@heliograph/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { useCan } from '../../core/settings.ts';
import { showError } from '../../core/toast.tsx';
import type { OptionSource } from '../../ui/async-options.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { contactsOf } from '../persons/person.api.ts';
import { isUsable, templateQuery } from '../templates/templates.api.ts';
import { filledFor } from './saved-answers.ts';

interface SavedAnswerSelectProps {
  conversation: Conversation;
  /** The channel of the reply. */
  type: SendingType;
  onChoose: (text: string) => void;
}

/** The templates of the account for a channel: the chosen one is written with the values of the person. */
export function SavedAnswerSelect({ conversation, type, onChoose }: SavedAnswerSelectProps) {
  const { t, i18n } = useTranslation();
  const can = useCan();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(0);
  if (!can('templates.get')) return null;

  const choose = async (id: string): Promise<void> => {
    try {
      const [{ payload }, known] = await Promise.all([
        client.fetchQuery(templateQuery(id)),
        can('contacts.get') ? client.fetchQuery(contactsOf(conversation)) : null,
      ]);
      const { address } = conversation;
      onChoose(filledFor(payload.text ?? '', address, known?.data ?? [], i18n.language as Locale));
    } catch (error) {
      showError(error);
    }
    setChosen((count) => count + 1);
  };
  return (
    <AsyncSelect
      // It keeps nothing of what was chosen: the same answer may be written again.
      key={chosen}
      label={t('conversations:reply.saved')}
      placeholder={t('conversations:reply.choose')}
      empty={t('conversations:reply.noTemplates')}
      source={sourceOf(conversation.OwnerId, type)}
      value={null}
      onChange={(id) => id && void choose(id)}
      clearable={false}
    />
  );
}

type Row = Pick<Template, 'id' | 'title'>;

const sourceOf = (OwnerId: string, type: SendingType): OptionSource<Row> => ({
  noun: 'templates',
  params: ['answers', OwnerId, type],
  async find({ limit, search }, signal) {
    const { data } = await api(templates.find, {
      query: {
        offset: 0,
        limit,
        search,
        order: [{ field: 'createdAt', direction: 'desc' }],
        filter: { type: [type], OwnerId, isActive: true, moderation: ['pending', 'approved'] },
        scope: [],
        range: {},
      },
      signal,
    });
    return { data: data.filter((row) => isUsable(row) && !isBlank(row.payload.text ?? '')) };
  },
  toOption: ({ id, title }) => ({ value: id, label: title }),
});
