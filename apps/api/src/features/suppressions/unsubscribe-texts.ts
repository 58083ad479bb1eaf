import type { Locale } from '@heliograph/domain';

/** Heading, text with `{sender}`, and button. */
type Texts = Record<'ask' | 'stopped' | 'started', readonly [string, string, string]>;

export const UNSUBSCRIBE_TEXTS: Record<Locale, Texts> = {
  en: {
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
    ask: ['Отписаться', 'Вы больше не будете получать сообщения {sender}.', 'Отписаться'],
    stopped: [
      'Вы отписаны',
      'Вы больше не будете получать сообщения {sender}.',
      'Подписаться снова',
    ],
    started: ['Вы снова подписаны', 'Вы опять будете получать сообщения {sender}.', 'Отписаться'],
  },
  es: {
    ask: ['Darse de baja', 'No recibirá más mensajes de {sender}.', 'Darse de baja'],
    stopped: [
      'Se ha dado de baja',
      'No recibirá más mensajes de {sender}.',
      'Suscribirse de nuevo',
    ],
    started: ['Está suscrito de nuevo', 'Volverá a recibir mensajes de {sender}.', 'Darse de baja'],
  },
  pt: {
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
