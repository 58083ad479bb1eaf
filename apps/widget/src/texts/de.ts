import type { ShownError } from '../wire.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  title: 'Telefonnummer bestätigen',
  phone: 'Telefonnummer',
  getCode: 'Code anfordern',
  robot: 'Wir prüfen, dass Sie kein Roboter sind …',
  loading: 'Wird geladen …',
  message: 'Wir haben einen Code an {phone} gesendet: {channel}.',
  voice: 'Wir rufen {phone} an. Hören Sie den Code und geben Sie ihn ein.',
  flashcall:
    'Wir rufen {phone} an. Nehmen Sie nicht ab: Geben Sie die letzten Ziffern der anrufenden Nummer ein.',
  push: 'Bestätigen Sie die Anfrage auf dem Bildschirm des Telefons {phone}. Ein Code ist nicht nötig.',
  code: 'Code',
  lastDigits: 'Letzte Ziffern der anrufenden Nummer',
  digits: 'Ziffern: {n}',
  confirm: 'Bestätigen',
  valid: 'Verbleibende Zeit: {time}',
  expired: 'Die Zeit ist um. Warten Sie auf einen anderen Code oder fordern Sie ihn an.',
  resend: 'Erneut senden',
  resendIn: 'Erneut senden in {time}',
  resent: 'Erneut gesendet.',
  changed: 'Der Code kommt jetzt auf einem anderen Weg.',
  attempts: 'Verbleibende Versuche: {n}',
  change: 'Nummer ändern',
  again: 'Neu beginnen',
  retry: 'Wiederholen',
  offline: 'Keine Verbindung. Neuer Versuch …',
  confirmed: 'Die Nummer ist bestätigt.',
};

export const deErrors: Record<ShownError, string> = {
  AttemptsExpired: 'Es sind keine Versuche mehr übrig. Beginnen Sie neu.',
  CaptchaNotConfirmed: 'Die Prüfung gegen Roboter ist fehlgeschlagen. Versuchen Sie es erneut.',
  ChannelChanged: 'Der Code kommt jetzt auf einem anderen Weg. Geben Sie den neuen ein.',
  Forbidden: 'Von dieser Seite aus ist die Bestätigung nicht erlaubt.',
  InvalidCode: 'Der Code ist falsch. Prüfen Sie ihn und geben Sie ihn erneut ein.',
  InvalidRecipient: 'Geben Sie die Nummer mit Landesvorwahl ein, zum Beispiel +49 151 00000000.',
  IsCodelessChannel: 'Ein Code ist nicht nötig: Bestätigen Sie die Anfrage auf Ihrem Telefon.',
  Network: 'Keine Verbindung. Prüfen Sie das Internet und versuchen Sie es erneut.',
  NoAvailableChannels:
    'Diese Nummer ist auf keinem Weg erreichbar. Prüfen Sie sie und beginnen Sie neu.',
  RateLimit: 'Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es erneut.',
  ResendChannel: 'Ein neuer Code wird gesendet. Geben Sie den neuen ein.',
  RestartCooldownActive: 'Für erneutes Senden ist es zu früh. Warten Sie etwas.',
  SessionClosed: 'Die Zeit für die Bestätigung ist um. Beginnen Sie neu.',
  SessionNotFound: 'Die Bestätigung wurde nicht gefunden. Beginnen Sie neu.',
  Unknown: 'Etwas ist schiefgegangen. Versuchen Sie es erneut.',
  WidgetIsBlocked: 'Die Bestätigung ist zurzeit ausgeschaltet.',
  WidgetNotFound: 'Das Widget wurde nicht gefunden. Sagen Sie es dem Betreiber der Seite.',
};
