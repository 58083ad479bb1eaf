import type { Locale, SendingType } from '@heliograph/domain';

/** Heading, text with `{sender}`, and button. */
type Texts = Record<'ask' | 'stopped' | 'started', readonly [string, string, string]> & {
  /** Heading of a choice of types, and the question over them, with `{sender}`. */
  title: string;
  question: string;
  save: string;
  saved: string;
  everything: string;
};

export const UNSUBSCRIBE_TEXTS: Record<Locale, Texts> = {
  en: {
    title: 'Your messages',
    question: 'How may {sender} contact you?',
    save: 'Save',
    saved: 'Your choice is saved',
    everything: 'Unsubscribe from everything',
    ask: ['Unsubscribe', 'You will get no more messages of {sender}.', 'Unsubscribe'],
    stopped: [
      'You are unsubscribed',
      'You will get no more messages of {sender}.',
      'Subscribe again',
    ],
    started: [
      'You are subscribed again',
      'You will get messages of {sender} again.',
      'Unsubscribe',
    ],
  },
  ru: {
    title: 'Ваши сообщения',
    question: 'Как {sender} может с вами связываться?',
    save: 'Сохранить',
    saved: 'Ваш выбор сохранён',
    everything: 'Отписаться от всего',
    ask: ['Отписаться', 'Вы больше не будете получать сообщения {sender}.', 'Отписаться'],
    stopped: [
      'Вы отписаны',
      'Вы больше не будете получать сообщения {sender}.',
      'Подписаться снова',
    ],
    started: ['Вы снова подписаны', 'Вы опять будете получать сообщения {sender}.', 'Отписаться'],
  },
  es: {
    title: 'Sus mensajes',
    question: '¿Cómo puede contactarle {sender}?',
    save: 'Guardar',
    saved: 'Su elección se ha guardado',
    everything: 'Darse de baja de todo',
    ask: ['Darse de baja', 'No recibirá más mensajes de {sender}.', 'Darse de baja'],
    stopped: [
      'Se ha dado de baja',
      'No recibirá más mensajes de {sender}.',
      'Suscribirse de nuevo',
    ],
    started: ['Está suscrito de nuevo', 'Volverá a recibir mensajes de {sender}.', 'Darse de baja'],
  },
  pt: {
    title: 'Suas mensagens',
    question: 'Como {sender} pode falar com você?',
    save: 'Salvar',
    saved: 'Sua escolha foi salva',
    everything: 'Cancelar todas as mensagens',
    ask: [
      'Cancelar a inscrição',
      'Você não receberá mais mensagens de {sender}.',
      'Cancelar a inscrição',
    ],
    stopped: [
      'Inscrição cancelada',
      'Você não receberá mais mensagens de {sender}.',
      'Inscrever-se de novo',
    ],
    started: [
      'Inscrição reativada',
      'Você voltará a receber mensagens de {sender}.',
      'Cancelar a inscrição',
    ],
  },
  fr: {
    title: 'Vos messages',
    question: 'Comment {sender} peut-il vous contacter ?',
    save: 'Enregistrer',
    saved: 'Votre choix est enregistré',
    everything: 'Se désabonner de tout',
    ask: ['Se désabonner', 'Vous ne recevrez plus de messages de {sender}.', 'Se désabonner'],
    stopped: [
      'Vous êtes désabonné',
      'Vous ne recevrez plus de messages de {sender}.',
      'Se réabonner',
    ],
    started: [
      'Vous êtes réabonné',
      'Vous recevrez de nouveau les messages de {sender}.',
      'Se désabonner',
    ],
  },
  de: {
    title: 'Ihre Nachrichten',
    question: 'Wie darf {sender} Sie erreichen?',
    save: 'Speichern',
    saved: 'Ihre Auswahl ist gespeichert',
    everything: 'Von allem abmelden',
    ask: ['Abmelden', 'Sie erhalten keine Nachrichten von {sender} mehr.', 'Abmelden'],
    stopped: [
      'Sie sind abgemeldet',
      'Sie erhalten keine Nachrichten von {sender} mehr.',
      'Wieder anmelden',
    ],
    started: [
      'Sie sind wieder angemeldet',
      'Sie erhalten wieder Nachrichten von {sender}.',
      'Abmelden',
    ],
  },
  it: {
    title: 'I suoi messaggi',
    question: 'Come può contattarla {sender}?',
    save: 'Salva',
    saved: 'La sua scelta è stata salvata',
    everything: 'Annulla tutte le iscrizioni',
    ask: ['Annulla iscrizione', 'Non riceverà più messaggi da {sender}.', 'Annulla iscrizione'],
    stopped: [
      'Iscrizione annullata',
      'Non riceverà più messaggi da {sender}.',
      'Iscriviti di nuovo',
    ],
    started: [
      'Iscrizione ripristinata',
      'Riceverà di nuovo i messaggi di {sender}.',
      'Annulla iscrizione',
    ],
  },
};

/** Types of messages as people know them. E-mail is not among them: an e-mail address has no other type. */
const NAMES: Partial<Record<SendingType, string>> = {
  sms: 'SMS',
  mms: 'MMS',
  viber: 'Viber',
  whatsapp: 'WhatsApp',
  vk: 'VK',
  ok: 'Odnoklassniki',
  push: 'Push',
  telegram: 'Telegram',
  max: 'MAX',
  facebook: 'Facebook',
  instagram: 'Instagram',
  sim_push: 'SIM push',
  wapi: 'WAPI',
};
const CHATS: Partial<Record<SendingType, string>> = {
  chat_telegram: 'Telegram',
  chat_vk: 'VK',
  chat_ok: 'Odnoklassniki',
  chat_facebook: 'Facebook',
  chat_instagram: 'Instagram',
  chat_whatsapp: 'WhatsApp',
};
/** Names of calls, and of chats with `{name}`. */
const OWN_NAMES: Record<Locale, readonly [voice: string, chat: string]> = {
  en: ['Calls', '{name} chat'],
  ru: ['Звонки', 'Чат {name}'],
  es: ['Llamadas', 'Chat de {name}'],
  pt: ['Chamadas', 'Chat do {name}'],
  fr: ['Appels', 'Chat {name}'],
  de: ['Anrufe', '{name}-Chat'],
  it: ['Chiamate', 'Chat {name}'],
};

/** `typeName('de', 'chat_telegram')` is `Telegram-Chat`. */
export function typeName(locale: Locale, type: SendingType): string {
  const [voice, chat] = OWN_NAMES[locale];
  if (type === 'voice') return voice;
  const name = CHATS[type];
  return name ? chat.replace('{name}', name) : (NAMES[type] ?? type);
}
