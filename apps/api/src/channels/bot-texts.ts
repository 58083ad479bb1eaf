import { localeOfLanguage, type Locale } from '@heliograph/domain';

/** What the bot itself writes. */
export interface Texts {
  ask: string;
  /** Of the button that shares the number: 64 characters at most, of Telegram. */
  share: string;
  linked: string;
  /** The contact is of somebody else, or its number cannot be used. */
  foreign: string;
}

const TEXTS: Record<Locale, Texts> = {
  ru: {
    ask: 'Чтобы получать сообщения здесь, поделитесь своим номером телефона кнопкой ниже.',
    share: 'Поделиться номером',
    linked:
      'Готово: сообщения на ваш номер будут приходить сюда. Чтобы прекратить, заблокируйте бота.',
    foreign: 'Этот контакт не подходит. Поделитесь своим номером кнопкой ниже.',
  },
  en: {
    ask: 'To get messages here, share your phone number with the button below.',
    share: 'Share my number',
    linked: 'Done: messages to your number will arrive here. To stop them, block the bot.',
    foreign: 'This contact will not do. Share your own number with the button below.',
  },
  es: {
    ask: 'Para recibir mensajes aquí, comparta su número de teléfono con el botón de abajo.',
    share: 'Compartir mi número',
    linked:
      'Listo: los mensajes a su número llegarán aquí. Para dejar de recibirlos, bloquee el bot.',
    foreign: 'Este contacto no sirve. Comparta su propio número con el botón de abajo.',
  },
  pt: {
    ask: 'Para receber mensagens aqui, compartilhe seu número de telefone com o botão abaixo.',
    share: 'Compartilhar meu número',
    linked: 'Pronto: as mensagens para o seu número chegarão aqui. Para parar, bloqueie o bot.',
    foreign: 'Este contato não serve. Compartilhe seu próprio número com o botão abaixo.',
  },
  fr: {
    ask: 'Pour recevoir les messages ici, partagez votre numéro de téléphone avec le bouton ci-dessous.',
    share: 'Partager mon numéro',
    linked:
      'C’est fait : les messages envoyés à votre numéro arriveront ici. Pour arrêter, bloquez le bot.',
    foreign: 'Ce contact ne convient pas. Partagez votre propre numéro avec le bouton ci-dessous.',
  },
  de: {
    ask: 'Um Nachrichten hier zu erhalten, teilen Sie Ihre Telefonnummer über die Schaltfläche unten.',
    share: 'Meine Nummer teilen',
    linked:
      'Fertig: Nachrichten an Ihre Nummer kommen hier an. Um sie abzustellen, blockieren Sie den Bot.',
    foreign:
      'Dieser Kontakt passt nicht. Teilen Sie Ihre eigene Nummer über die Schaltfläche unten.',
  },
  it: {
    ask: 'Per ricevere i messaggi qui, condividi il tuo numero di telefono con il pulsante qui sotto.',
    share: 'Condividi il mio numero',
    linked: 'Fatto: i messaggi al tuo numero arriveranno qui. Per interromperli, blocca il bot.',
    foreign: 'Questo contatto non va bene. Condividi il tuo numero con il pulsante qui sotto.',
  },
};

/** In the language of the person’s messenger, such as `pt-br`; English if we do not have it. */
export const textsFor = (language: string): Texts => TEXTS[localeOfLanguage(language)];
