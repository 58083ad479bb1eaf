import type { GeneratorForm, GeneratorLanguage } from '@heliograph/contract';

type ByTone = Record<GeneratorForm['emotionalTone'], string>;

interface Phrases {
  /** Name the occasion, apart from the grammar of the rest. */
  opening: ByTone;
  theme: string;
  closing: ByTone;
  question: string;
  /** For those who asked for a long text. */
  more: string[];
}

/** What the local writer knows to say. */
export const PHRASES: Record<GeneratorLanguage, Phrases> = {
  en: {
    opening: {
      neutral: 'News: {occasion}.',
      friendly: 'Hello! We have a nice occasion: {occasion}.',
      joyful: 'Hooray, {occasion}!',
      formal: 'Dear customer, we write to you on this occasion: {occasion}.',
      urgent: 'Only now: {occasion}!',
    },
    theme: 'For you: {theme}.',
    closing: {
      neutral: 'We look forward to hearing from you.',
      friendly: 'Come by, we will be glad to see you!',
      joyful: 'Join us, it will be a treat!',
      formal: 'We remain at your service.',
      urgent: 'Hurry, there is little time left!',
    },
    question: 'Shall we expect you?',
    more: [
      'Reply to this message and we will tell you more.',
      'Tell your friends, too: there is enough for everyone.',
      'Keep this message so that you do not forget.',
    ],
  },
  ru: {
    opening: {
      neutral: 'Новость: {occasion}.',
      friendly: 'Здравствуйте! У нас приятный повод: {occasion}.',
      joyful: 'Ура, {occasion}!',
      formal: 'Уважаемый клиент! Пишем вам по поводу: {occasion}.',
      urgent: 'Только сейчас: {occasion}!',
    },
    theme: 'Для вас: {theme}.',
    closing: {
      neutral: 'Будем рады вашему ответу.',
      friendly: 'Заходите, будем рады вас видеть!',
      joyful: 'Присоединяйтесь, будет здорово!',
      formal: 'Всегда к вашим услугам.',
      urgent: 'Поторопитесь, времени осталось мало!',
    },
    question: 'Ждать вас?',
    more: [
      'Ответьте на это сообщение, и мы расскажем подробнее.',
      'Расскажите друзьям: хватит на всех.',
      'Сохраните сообщение, чтобы не забыть.',
    ],
  },
  es: {
    opening: {
      neutral: 'Novedades: {occasion}.',
      friendly: '¡Hola! Tenemos un buen motivo: {occasion}.',
      joyful: '¡Qué alegría, {occasion}!',
      formal: 'Estimado cliente: le escribimos con este motivo: {occasion}.',
      urgent: '¡Solo ahora: {occasion}!',
    },
    theme: 'Para usted: {theme}.',
    closing: {
      neutral: 'Quedamos a la espera de su respuesta.',
      friendly: '¡Venga, nos alegrará verle!',
      joyful: '¡Únase a nosotros, será estupendo!',
      formal: 'Quedamos a su disposición.',
      urgent: '¡Dese prisa, queda poco tiempo!',
    },
    question: '¿Le esperamos?',
    more: [
      'Responda a este mensaje y le contaremos más.',
      'Cuénteselo a sus amigos: hay para todos.',
      'Guarde este mensaje para no olvidarlo.',
    ],
  },
  pt: {
    opening: {
      neutral: 'Novidade: {occasion}.',
      friendly: 'Olá! Temos um bom motivo: {occasion}.',
      joyful: 'Que alegria, {occasion}!',
      formal: 'Prezado cliente, escrevemos por este motivo: {occasion}.',
      urgent: 'Só agora: {occasion}!',
    },
    theme: 'Para você: {theme}.',
    closing: {
      neutral: 'Aguardamos a sua resposta.',
      friendly: 'Venha, será um prazer receber você!',
      joyful: 'Participe, vai ser ótimo!',
      formal: 'Permanecemos à sua disposição.',
      urgent: 'Corra, resta pouco tempo!',
    },
    question: 'Podemos esperar você?',
    more: [
      'Responda a esta mensagem e contaremos mais.',
      'Conte também aos seus amigos: há para todos.',
      'Guarde esta mensagem para não esquecer.',
    ],
  },
  fr: {
    opening: {
      neutral: 'Nouveauté : {occasion}.',
      friendly: 'Bonjour ! Nous avons une belle occasion : {occasion}.',
      joyful: 'Quelle joie, {occasion} !',
      formal: 'Cher client, nous vous écrivons à cette occasion : {occasion}.',
      urgent: 'Seulement maintenant : {occasion} !',
    },
    theme: 'Pour vous : {theme}.',
    closing: {
      neutral: 'Au plaisir de vous lire.',
      friendly: 'Passez nous voir, nous en serons ravis !',
      joyful: 'Rejoignez-nous, ce sera formidable !',
      formal: 'Nous restons à votre service.',
      urgent: 'Dépêchez-vous, il reste peu de temps !',
    },
    question: 'Pouvons-nous compter sur vous ?',
    more: [
      'Répondez à ce message et nous vous en dirons plus.',
      'Parlez-en à vos amis : il y en a pour tout le monde.',
      'Gardez ce message pour ne pas oublier.',
    ],
  },
  de: {
    opening: {
      neutral: 'Neuigkeit: {occasion}.',
      friendly: 'Guten Tag! Wir haben einen schönen Anlass: {occasion}.',
      joyful: 'Hurra, {occasion}!',
      formal:
        'Sehr geehrte Kundin, sehr geehrter Kunde, der Anlass unseres Schreibens: {occasion}.',
      urgent: 'Nur jetzt: {occasion}!',
    },
    theme: 'Für Sie: {theme}.',
    closing: {
      neutral: 'Wir freuen uns auf Ihre Antwort.',
      friendly: 'Kommen Sie vorbei, wir freuen uns auf Sie!',
      joyful: 'Machen Sie mit, es wird großartig!',
      formal: 'Wir stehen Ihnen jederzeit zur Verfügung.',
      urgent: 'Beeilen Sie sich, die Zeit ist knapp!',
    },
    question: 'Dürfen wir mit Ihnen rechnen?',
    more: [
      'Antworten Sie auf diese Nachricht, und wir erzählen Ihnen mehr.',
      'Erzählen Sie es auch Ihren Freunden: Es ist genug für alle da.',
      'Bewahren Sie diese Nachricht auf, damit Sie es nicht vergessen.',
    ],
  },
  it: {
    opening: {
      neutral: 'Novità: {occasion}.',
      friendly: 'Buongiorno! Abbiamo una bella occasione: {occasion}.',
      joyful: 'Che gioia, {occasion}!',
      formal: 'Gentile cliente, Le scriviamo in questa occasione: {occasion}.',
      urgent: 'Solo ora: {occasion}!',
    },
    theme: 'Per Lei: {theme}.',
    closing: {
      neutral: 'Restiamo in attesa di una Sua risposta.',
      friendly: 'Venga a trovarci, saremo lieti di vederLa!',
      joyful: 'Si unisca a noi, sarà fantastico!',
      formal: 'Restiamo a Sua disposizione.',
      urgent: 'Si affretti, il tempo stringe!',
    },
    question: 'La aspettiamo?',
    more: [
      'Risponda a questo messaggio e Le diremo di più.',
      'Lo dica anche ai Suoi amici: ce n’è per tutti.',
      'Conservi questo messaggio per non dimenticare.',
    ],
  },
};
