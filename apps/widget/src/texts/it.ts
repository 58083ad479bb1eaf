import type { ShownError } from '../wire.ts';
import type { Texts } from './en.ts';

export const it: Texts = {
  title: 'Conferma il tuo numero di telefono',
  phone: 'Numero di telefono',
  getCode: 'Ricevi il codice',
  robot: 'Verifichiamo che non sei un robot…',
  loading: 'Caricamento…',
  message: 'Abbiamo inviato un codice a {phone}: {channel}.',
  voice: 'Stiamo chiamando {phone}. Ascolta il codice e inseriscilo.',
  flashcall:
    'Stiamo chiamando {phone}. Non rispondere: inserisci le ultime cifre del numero che chiama.',
  push: 'Conferma la richiesta sullo schermo del telefono {phone}. Non serve un codice.',
  code: 'Codice',
  lastDigits: 'Ultime cifre del numero che chiama',
  digits: 'Cifre: {n}',
  confirm: 'Conferma',
  valid: 'Tempo rimasto: {time}',
  expired: 'Il tempo è scaduto. Attendi un altro codice o richiedilo.',
  resend: 'Invia di nuovo',
  resendIn: 'Invia di nuovo tra {time}',
  resent: 'Inviato di nuovo.',
  changed: 'Ora il codice arriva in un altro modo.',
  attempts: 'Tentativi rimasti: {n}',
  change: 'Cambia il numero',
  again: 'Ricomincia',
  retry: 'Riprova',
  offline: 'Nessuna connessione. Nuovo tentativo…',
  confirmed: 'Il numero è confermato.',
};

export const itErrors: Record<ShownError, string> = {
  AttemptsExpired: 'Non restano tentativi. Ricomincia.',
  CaptchaNotConfirmed: 'La verifica contro i robot non è riuscita. Riprova.',
  ChannelChanged: 'Ora il codice arriva in un altro modo. Inserisci quello nuovo.',
  Forbidden: 'Da questa pagina la conferma non è consentita.',
  InvalidCode: 'Il codice è sbagliato. Controllalo e inseriscilo di nuovo.',
  InvalidRecipient: 'Inserisci il numero con il prefisso del paese, per esempio +39 320 000 0000.',
  IsCodelessChannel: 'Non serve un codice: conferma la richiesta sul telefono.',
  Network: 'Nessuna connessione. Controlla internet e riprova.',
  NoAvailableChannels:
    'Questo numero non è raggiungibile in nessun modo. Controllalo e ricomincia.',
  RateLimit: 'Troppe richieste. Attendi un minuto e riprova.',
  ResendChannel: 'Stiamo inviando un nuovo codice. Inserisci quello nuovo.',
  RestartCooldownActive: 'È presto per un nuovo invio. Attendi un po’.',
  SessionClosed: 'Il tempo per la conferma è scaduto. Ricomincia.',
  SessionNotFound: 'La conferma non è stata trovata. Ricomincia.',
  Unknown: 'Qualcosa è andato storto. Riprova.',
  WidgetIsBlocked: 'La conferma ora è disattivata.',
  WidgetNotFound: 'Il widget non è stato trovato. Avvisa il proprietario del sito.',
};
