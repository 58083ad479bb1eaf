import type { EmailMessage } from './recovery-email.ts';
import type { Locale } from './locales.ts';
import type { NotificationType } from './notifications.ts';

/** Events of a user's sign-in that are notified by e-mail as well. */
export type SecurityNotificationType = Extract<
  NotificationType,
  | 'AuthNewDevice'
  | 'AuthSecondFactorEnabled'
  | 'AuthSecondFactorDisabled'
  | 'AuthSecondFactorReset'
  | 'AuthRecoveryCodeUsed'
  | 'AuthPasskeyAdded'
  | 'AuthPasskeyRemoved'
  | 'AuthIdentityAdded'
  | 'AuthIdentityRemoved'
>;

type Fact = [subject: string, text: string];
type Texts = Record<SecurityNotificationType, Fact> & {
  device: string;
  ip: string;
  label: string;
  advice: string;
};

/**
 * `{title}` is the name of the product, `{by}` a manager, `{left}` a number of recovery codes, `{passkey}` the title of a passkey, `{identity}`
 * an identity at the identity provider `{provider}`.
 */
const TEXTS: Record<Locale, Texts> = {
  ru: {
    AuthNewDevice: [
      'Вход с нового устройства: {title}',
      'Под логином {username} вошли с нового устройства.',
    ],
    AuthSecondFactorEnabled: [
      'Двухфакторный вход включён: {title}',
      'Теперь для входа под логином {username} кроме пароля нужен код из приложения.',
    ],
    AuthSecondFactorDisabled: [
      'Двухфакторный вход отключён: {title}',
      'Теперь для входа под логином {username} достаточно пароля.',
    ],
    AuthSecondFactorReset: [
      'Двухфакторный вход сброшен: {title}',
      'Пользователь {by} отключил двухфакторный вход для логина {username}. Включите его снова в настройках аккаунта.',
    ],
    AuthRecoveryCodeUsed: [
      'Вход по резервному коду: {title}',
      'Под логином {username} вошли с резервным кодом. Осталось кодов: {left}.',
    ],
    AuthPasskeyAdded: [
      'Добавлен ключ доступа: {title}',
      'С ключом доступа «{passkey}» теперь можно войти под логином {username} без пароля.',
    ],
    AuthPasskeyRemoved: [
      'Удалён ключ доступа: {title}',
      'С ключом доступа «{passkey}» больше нельзя войти под логином {username}.',
    ],
    AuthIdentityAdded: [
      'Добавлен способ входа: {title}',
      'С учётной записью «{identity}» ({provider}) теперь можно войти под логином {username} без пароля.',
    ],
    AuthIdentityRemoved: [
      'Удалён способ входа: {title}',
      'С учётной записью «{identity}» ({provider}) больше нельзя войти под логином {username}.',
    ],
    device: 'Устройство: {device}',
    ip: 'IP-адрес: {ip}',
    label: 'Показать открытые сеансы',
    advice:
      'Если это были не вы, завершите незнакомые сеансы и сразу задайте новый пароль: {passwordUrl}',
  },
  en: {
    AuthNewDevice: [
      'New sign-in: {title}',
      'Somebody signed in with the login {username} from a new device.',
    ],
    AuthSecondFactorEnabled: [
      'Two-factor sign-in is on: {title}',
      'Signing in with the login {username} now needs a code from the app as well as the password.',
    ],
    AuthSecondFactorDisabled: [
      'Two-factor sign-in is off: {title}',
      'Signing in with the login {username} now needs only the password.',
    ],
    AuthSecondFactorReset: [
      'Two-factor sign-in was reset: {title}',
      '{by} turned off two-factor sign-in for the login {username}. Turn it on again in the account settings.',
    ],
    AuthRecoveryCodeUsed: [
      'Sign-in with a recovery code: {title}',
      'Somebody signed in with the login {username} and a recovery code. Codes left: {left}.',
    ],
    AuthPasskeyAdded: [
      'A passkey was added: {title}',
      'The passkey “{passkey}” now signs in with the login {username} without a password.',
    ],
    AuthPasskeyRemoved: [
      'A passkey was removed: {title}',
      'The passkey “{passkey}” no longer signs in with the login {username}.',
    ],
    AuthIdentityAdded: [
      'A way to sign in was added: {title}',
      'The identity “{identity}” of {provider} now signs in with the login {username} without a password.',
    ],
    AuthIdentityRemoved: [
      'A way to sign in was removed: {title}',
      'The identity “{identity}” of {provider} no longer signs in with the login {username}.',
    ],
    device: 'Device: {device}',
    ip: 'IP address: {ip}',
    label: 'Show open sessions',
    advice:
      'If this was not you, end the sessions you do not know and choose a new password now: {passwordUrl}',
  },
  es: {
    AuthNewDevice: [
      'Nuevo inicio de sesión: {title}',
      'Se ha iniciado sesión con el usuario {username} desde un dispositivo nuevo.',
    ],
    AuthSecondFactorEnabled: [
      'Verificación en dos pasos activada: {title}',
      'Para iniciar sesión con el usuario {username} ahora se necesita, además de la contraseña, un código de la aplicación.',
    ],
    AuthSecondFactorDisabled: [
      'Verificación en dos pasos desactivada: {title}',
      'Para iniciar sesión con el usuario {username} ahora basta con la contraseña.',
    ],
    AuthSecondFactorReset: [
      'Verificación en dos pasos restablecida: {title}',
      '{by} ha desactivado la verificación en dos pasos del usuario {username}. Vuelva a activarla en los ajustes de la cuenta.',
    ],
    AuthRecoveryCodeUsed: [
      'Inicio de sesión con un código de recuperación: {title}',
      'Se ha iniciado sesión con el usuario {username} y un código de recuperación. Códigos restantes: {left}.',
    ],
    AuthPasskeyAdded: [
      'Llave de acceso añadida: {title}',
      'La llave de acceso «{passkey}» permite ahora iniciar sesión con el usuario {username} sin contraseña.',
    ],
    AuthPasskeyRemoved: [
      'Llave de acceso eliminada: {title}',
      'La llave de acceso «{passkey}» ya no permite iniciar sesión con el usuario {username}.',
    ],
    AuthIdentityAdded: [
      'Forma de iniciar sesión añadida: {title}',
      'La identidad «{identity}» de {provider} permite ahora iniciar sesión con el usuario {username} sin contraseña.',
    ],
    AuthIdentityRemoved: [
      'Forma de iniciar sesión eliminada: {title}',
      'La identidad «{identity}» de {provider} ya no permite iniciar sesión con el usuario {username}.',
    ],
    device: 'Dispositivo: {device}',
    ip: 'Dirección IP: {ip}',
    label: 'Ver las sesiones abiertas',
    advice:
      'Si no ha sido usted, cierre las sesiones que no reconozca y elija ahora una contraseña nueva: {passwordUrl}',
  },
  pt: {
    AuthNewDevice: [
      'Novo acesso: {title}',
      'Alguém entrou com o login {username} em um novo dispositivo.',
    ],
    AuthSecondFactorEnabled: [
      'Verificação em duas etapas ativada: {title}',
      'Para entrar com o login {username}, agora é preciso um código do aplicativo além da senha.',
    ],
    AuthSecondFactorDisabled: [
      'Verificação em duas etapas desativada: {title}',
      'Para entrar com o login {username}, agora basta a senha.',
    ],
    AuthSecondFactorReset: [
      'Verificação em duas etapas redefinida: {title}',
      '{by} desativou a verificação em duas etapas do login {username}. Ative-a novamente nas configurações da conta.',
    ],
    AuthRecoveryCodeUsed: [
      'Acesso com código de recuperação: {title}',
      'Alguém entrou com o login {username} e um código de recuperação. Códigos restantes: {left}.',
    ],
    AuthPasskeyAdded: [
      'Chave de acesso adicionada: {title}',
      'A chave de acesso “{passkey}” agora permite entrar com o login {username} sem senha.',
    ],
    AuthPasskeyRemoved: [
      'Chave de acesso removida: {title}',
      'A chave de acesso “{passkey}” não permite mais entrar com o login {username}.',
    ],
    AuthIdentityAdded: [
      'Forma de acesso adicionada: {title}',
      'A identidade “{identity}” de {provider} agora permite entrar com o login {username} sem senha.',
    ],
    AuthIdentityRemoved: [
      'Forma de acesso removida: {title}',
      'A identidade “{identity}” de {provider} não permite mais entrar com o login {username}.',
    ],
    device: 'Dispositivo: {device}',
    ip: 'Endereço IP: {ip}',
    label: 'Ver as sessões abertas',
    advice:
      'Se não foi você, encerre as sessões que não reconhece e defina uma nova senha agora: {passwordUrl}',
  },
  fr: {
    AuthNewDevice: [
      'Nouvelle connexion : {title}',
      'Une connexion avec l’identifiant {username} a eu lieu depuis un nouvel appareil.',
    ],
    AuthSecondFactorEnabled: [
      'Validation en deux étapes activée : {title}',
      'La connexion avec l’identifiant {username} demande désormais un code de l’application en plus du mot de passe.',
    ],
    AuthSecondFactorDisabled: [
      'Validation en deux étapes désactivée : {title}',
      'La connexion avec l’identifiant {username} ne demande désormais que le mot de passe.',
    ],
    AuthSecondFactorReset: [
      'Validation en deux étapes réinitialisée : {title}',
      '{by} a désactivé la validation en deux étapes de l’identifiant {username}. Réactivez-la dans les paramètres du compte.',
    ],
    AuthRecoveryCodeUsed: [
      'Connexion avec un code de secours : {title}',
      'Une connexion avec l’identifiant {username} et un code de secours a eu lieu. Codes restants : {left}.',
    ],
    AuthPasskeyAdded: [
      'Clé d’accès ajoutée : {title}',
      'La clé d’accès « {passkey} » permet désormais de se connecter avec l’identifiant {username} sans mot de passe.',
    ],
    AuthPasskeyRemoved: [
      'Clé d’accès supprimée : {title}',
      'La clé d’accès « {passkey} » ne permet plus de se connecter avec l’identifiant {username}.',
    ],
    AuthIdentityAdded: [
      'Mode de connexion ajouté : {title}',
      'L’identité « {identity} » de {provider} permet désormais de se connecter avec l’identifiant {username} sans mot de passe.',
    ],
    AuthIdentityRemoved: [
      'Mode de connexion supprimé : {title}',
      'L’identité « {identity} » de {provider} ne permet plus de se connecter avec l’identifiant {username}.',
    ],
    device: 'Appareil : {device}',
    ip: 'Adresse IP : {ip}',
    label: 'Voir les sessions ouvertes',
    advice:
      'Si ce n’était pas vous, fermez les sessions inconnues et choisissez tout de suite un nouveau mot de passe : {passwordUrl}',
  },
  de: {
    AuthNewDevice: [
      'Neue Anmeldung: {title}',
      'Mit dem Benutzernamen {username} hat sich jemand auf einem neuen Gerät angemeldet.',
    ],
    AuthSecondFactorEnabled: [
      'Zwei-Faktor-Anmeldung aktiviert: {title}',
      'Für die Anmeldung mit dem Benutzernamen {username} ist jetzt außer dem Passwort ein Code aus der App nötig.',
    ],
    AuthSecondFactorDisabled: [
      'Zwei-Faktor-Anmeldung deaktiviert: {title}',
      'Für die Anmeldung mit dem Benutzernamen {username} genügt jetzt das Passwort.',
    ],
    AuthSecondFactorReset: [
      'Zwei-Faktor-Anmeldung zurückgesetzt: {title}',
      '{by} hat die Zwei-Faktor-Anmeldung des Benutzernamens {username} deaktiviert. Aktivieren Sie sie in den Kontoeinstellungen erneut.',
    ],
    AuthRecoveryCodeUsed: [
      'Anmeldung mit einem Wiederherstellungscode: {title}',
      'Mit dem Benutzernamen {username} und einem Wiederherstellungscode hat sich jemand angemeldet. Verbleibende Codes: {left}.',
    ],
    AuthPasskeyAdded: [
      'Passkey hinzugefügt: {title}',
      'Mit dem Passkey „{passkey}“ ist die Anmeldung mit dem Benutzernamen {username} jetzt ohne Passwort möglich.',
    ],
    AuthPasskeyRemoved: [
      'Passkey entfernt: {title}',
      'Mit dem Passkey „{passkey}“ ist die Anmeldung mit dem Benutzernamen {username} nicht mehr möglich.',
    ],
    AuthIdentityAdded: [
      'Anmeldeweg hinzugefügt: {title}',
      'Mit der Identität „{identity}“ von {provider} ist die Anmeldung mit dem Benutzernamen {username} jetzt ohne Passwort möglich.',
    ],
    AuthIdentityRemoved: [
      'Anmeldeweg entfernt: {title}',
      'Mit der Identität „{identity}“ von {provider} ist die Anmeldung mit dem Benutzernamen {username} nicht mehr möglich.',
    ],
    device: 'Gerät: {device}',
    ip: 'IP-Adresse: {ip}',
    label: 'Offene Sitzungen anzeigen',
    advice:
      'Wenn Sie das nicht waren, beenden Sie unbekannte Sitzungen und legen Sie jetzt ein neues Passwort fest: {passwordUrl}',
  },
  it: {
    AuthNewDevice: [
      'Nuovo accesso: {title}',
      'È stato effettuato un accesso con il nome utente {username} da un nuovo dispositivo.',
    ],
    AuthSecondFactorEnabled: [
      'Verifica in due passaggi attivata: {title}',
      'Per accedere con il nome utente {username} ora serve un codice dell’app oltre alla password.',
    ],
    AuthSecondFactorDisabled: [
      'Verifica in due passaggi disattivata: {title}',
      'Per accedere con il nome utente {username} ora basta la password.',
    ],
    AuthSecondFactorReset: [
      'Verifica in due passaggi reimpostata: {title}',
      '{by} ha disattivato la verifica in due passaggi del nome utente {username}. Riattivala nelle impostazioni dell’account.',
    ],
    AuthRecoveryCodeUsed: [
      'Accesso con un codice di recupero: {title}',
      'È stato effettuato un accesso con il nome utente {username} e un codice di recupero. Codici rimasti: {left}.',
    ],
    AuthPasskeyAdded: [
      'Passkey aggiunta: {title}',
      'La passkey «{passkey}» ora consente di accedere con il nome utente {username} senza password.',
    ],
    AuthPasskeyRemoved: [
      'Passkey rimossa: {title}',
      'La passkey «{passkey}» non consente più di accedere con il nome utente {username}.',
    ],
    AuthIdentityAdded: [
      'Modo di accesso aggiunto: {title}',
      'L’identità «{identity}» di {provider} ora consente di accedere con il nome utente {username} senza password.',
    ],
    AuthIdentityRemoved: [
      'Modo di accesso rimosso: {title}',
      'L’identità «{identity}» di {provider} non consente più di accedere con il nome utente {username}.',
    ],
    device: 'Dispositivo: {device}',
    ip: 'Indirizzo IP: {ip}',
    label: 'Mostra le sessioni aperte',
    advice:
      'Se non sei stato tu, chiudi le sessioni che non riconosci e scegli subito una nuova password: {passwordUrl}',
  },
};

export interface SecurityEmailData {
  title: string;
  username: string;
  /** Time of the fact, with its zone. */
  time: string;
  /** Absent if the client is not known, or not the user's. */
  device?: string;
  ip?: string;
  place?: string;
  by?: string;
  left?: number;
  passkey?: string;
  identity?: string;
  provider?: string;
  /** The page with the open sessions. */
  url: string;
  passwordUrl: string;
}

/** The e-mail about a new device or a change of the second factor, the passkeys or the identities. */
export function securityEmail(
  locale: Locale,
  type: SecurityNotificationType,
  { url, ...data }: SecurityEmailData,
): EmailMessage {
  const values: Record<string, unknown> = data;
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const texts = TEXTS[locale];
  const [subject, text] = texts[type];
  const { device, ip, place, time } = data;
  const client = [device && fill(texts.device), ip && fill(texts.ip), place, time];
  return {
    locale,
    subject: fill(subject),
    before: [fill(text), client.filter(Boolean).join('; ')],
    link: { label: texts.label, url },
    after: [fill(texts.advice)],
  };
}
