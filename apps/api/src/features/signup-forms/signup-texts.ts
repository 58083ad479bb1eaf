import type { Locale } from '@heliograph/domain';

/** Plain texts without characters of HTML. `{title}` is the title of the form, `{address}` what the person has entered. */
export interface SignupTexts {
  email: string;
  phone: string;
  firstName: string;
  middleName: string;
  lastName: string;
  choose: string;
  yes: string;
  no: string;
  button: string;
  required: string;
  wrongEmail: string;
  wrongPhone: string;
  wrongCountry: string;
  wrongValue: string;
  consentMissing: string;
  tooMany: string;
  unavailable: string;
  /** While the browser works on the captcha, after which it sends the form again. */
  checking: string;
  noScript: string;
  sentTitle: string;
  sentText: string;
  confirmTitle: string;
  confirmText: string;
  confirmButton: string;
  doneTitle: string;
  doneText: string;
  onward: string;
  goneTitle: string;
  goneText: string;
}

export const SIGNUP_TEXTS: Record<Locale, SignupTexts> = {
  en: {
    email: 'E-mail',
    phone: 'Phone number',
    firstName: 'First name',
    middleName: 'Middle name',
    lastName: 'Last name',
    choose: 'Choose',
    yes: 'Yes',
    no: 'No',
    button: 'Sign up',
    required: 'Fill in this field.',
    wrongEmail: 'Enter an e-mail address, such as anna@example.com.',
    wrongPhone: 'Enter a phone number with its country code.',
    wrongCountry: 'Numbers of this country are not accepted here.',
    wrongValue: 'Check what you have entered.',
    consentMissing: 'Tick the box to sign up.',
    tooMany: 'There have been too many attempts. Try again later.',
    unavailable: 'You cannot sign up now. Try again later.',
    checking: 'We are checking that you are not a robot. It takes a few seconds.',
    noScript: 'Switch scripts on in your browser to go on.',
    sentTitle: 'Confirm your address',
    sentText:
      'We have sent a message to {address}. Open the link in it within 48 hours. If it does not come within some minutes, check the address.',
    confirmTitle: 'Confirm that you sign up',
    confirmText: 'You sign up for “{title}”.',
    confirmButton: 'Confirm',
    doneTitle: 'You have signed up',
    doneText: 'You will get messages of “{title}”.',
    onward: 'Continue',
    goneTitle: 'The link is no longer valid',
    goneText: 'It has expired, or was not copied in full. Fill in the form again.',
  },
  ru: {
    email: 'Эл. почта',
    phone: 'Номер телефона',
    firstName: 'Имя',
    middleName: 'Отчество',
    lastName: 'Фамилия',
    choose: 'Выберите',
    yes: 'Да',
    no: 'Нет',
    button: 'Подписаться',
    required: 'Заполните это поле.',
    wrongEmail: 'Введите адрес эл. почты, например anna@example.com.',
    wrongPhone: 'Введите номер телефона с кодом страны.',
    wrongCountry: 'Номера этой страны здесь не принимаются.',
    wrongValue: 'Проверьте, что вы ввели.',
    consentMissing: 'Отметьте согласие, чтобы подписаться.',
    tooMany: 'Слишком много попыток. Попробуйте позже.',
    unavailable: 'Сейчас подписаться нельзя. Попробуйте позже.',
    checking: 'Проверяем, что вы не робот. Это займёт несколько секунд.',
    noScript: 'Чтобы продолжить, включите скрипты в браузере.',
    sentTitle: 'Подтвердите адрес',
    sentText:
      'Мы отправили сообщение на {address}. Откройте ссылку из него в течение 48 часов. Если через несколько минут его нет, проверьте адрес.',
    confirmTitle: 'Подтвердите подписку',
    confirmText: 'Вы подписываетесь на «{title}».',
    confirmButton: 'Подтвердить',
    doneTitle: 'Вы подписаны',
    doneText: 'Вы будете получать сообщения «{title}».',
    onward: 'Продолжить',
    goneTitle: 'Ссылка больше не действует',
    goneText: 'Её срок истёк, или она скопирована не полностью. Заполните форму ещё раз.',
  },
  es: {
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    firstName: 'Nombre',
    middleName: 'Segundo nombre',
    lastName: 'Apellido',
    choose: 'Elija',
    yes: 'Sí',
    no: 'No',
    button: 'Suscribirse',
    required: 'Rellene este campo.',
    wrongEmail: 'Introduzca una dirección de correo, como anna@example.com.',
    wrongPhone: 'Introduzca un número de teléfono con el prefijo del país.',
    wrongCountry: 'Aquí no se aceptan números de este país.',
    wrongValue: 'Compruebe lo que ha introducido.',
    consentMissing: 'Marque la casilla para suscribirse.',
    tooMany: 'Demasiados intentos. Inténtelo más tarde.',
    unavailable: 'Ahora no es posible suscribirse. Inténtelo más tarde.',
    checking: 'Comprobamos que no es un robot. Tardará unos segundos.',
    noScript: 'Para continuar, active los scripts en su navegador.',
    sentTitle: 'Confirme su dirección',
    sentText:
      'Hemos enviado un mensaje a {address}. Abra el enlace que contiene en las próximas 48 horas. Si no llega en unos minutos, compruebe la dirección.',
    confirmTitle: 'Confirme su suscripción',
    confirmText: 'Se suscribe a «{title}».',
    confirmButton: 'Confirmar',
    doneTitle: 'Se ha suscrito',
    doneText: 'Recibirá los mensajes de «{title}».',
    onward: 'Continuar',
    goneTitle: 'El enlace ya no es válido',
    goneText: 'Ha caducado o no se copió entero. Rellene el formulario de nuevo.',
  },
  pt: {
    email: 'E-mail',
    phone: 'Número de telefone',
    firstName: 'Nome',
    middleName: 'Nome do meio',
    lastName: 'Sobrenome',
    choose: 'Escolha',
    yes: 'Sim',
    no: 'Não',
    button: 'Inscrever-se',
    required: 'Preencha este campo.',
    wrongEmail: 'Digite um endereço de e-mail, como anna@example.com.',
    wrongPhone: 'Digite um número de telefone com o código do país.',
    wrongCountry: 'Números deste país não são aceitos aqui.',
    wrongValue: 'Verifique o que você digitou.',
    consentMissing: 'Marque a caixa para se inscrever.',
    tooMany: 'Houve tentativas demais. Tente mais tarde.',
    unavailable: 'Não é possível se inscrever agora. Tente mais tarde.',
    checking: 'Estamos verificando se você não é um robô. Leva alguns segundos.',
    noScript: 'Ative os scripts no navegador para continuar.',
    sentTitle: 'Confirme seu endereço',
    sentText:
      'Enviamos uma mensagem para {address}. Abra o link dela em até 48 horas. Se ela não chegar em alguns minutos, confira o endereço.',
    confirmTitle: 'Confirme sua inscrição',
    confirmText: 'Você está se inscrevendo em “{title}”.',
    confirmButton: 'Confirmar',
    doneTitle: 'Você está inscrito',
    doneText: 'Você receberá as mensagens de “{title}”.',
    onward: 'Continuar',
    goneTitle: 'O link não é mais válido',
    goneText: 'Ele expirou ou não foi copiado inteiro. Preencha o formulário de novo.',
  },
  fr: {
    email: 'E-mail',
    phone: 'Numéro de téléphone',
    firstName: 'Prénom',
    middleName: 'Deuxième prénom',
    lastName: 'Nom',
    choose: 'Choisissez',
    yes: 'Oui',
    no: 'Non',
    button: 'S’inscrire',
    required: 'Remplissez ce champ.',
    wrongEmail: 'Saisissez une adresse e-mail, par exemple anna@example.com.',
    wrongPhone: 'Saisissez un numéro de téléphone avec l’indicatif du pays.',
    wrongCountry: 'Les numéros de ce pays ne sont pas acceptés ici.',
    wrongValue: 'Vérifiez ce que vous avez saisi.',
    consentMissing: 'Cochez la case pour vous inscrire.',
    tooMany: 'Il y a eu trop de tentatives. Réessayez plus tard.',
    unavailable: 'L’inscription n’est pas possible pour le moment. Réessayez plus tard.',
    checking: 'Nous vérifions que vous n’êtes pas un robot. Cela prend quelques secondes.',
    noScript: 'Activez les scripts de votre navigateur pour continuer.',
    sentTitle: 'Confirmez votre adresse',
    sentText:
      'Nous avons envoyé un message à {address}. Ouvrez son lien dans les 48 heures. S’il n’arrive pas en quelques minutes, vérifiez l’adresse.',
    confirmTitle: 'Confirmez votre inscription',
    confirmText: 'Vous vous inscrivez à « {title} ».',
    confirmButton: 'Confirmer',
    doneTitle: 'Vous êtes inscrit',
    doneText: 'Vous recevrez les messages de « {title} ».',
    onward: 'Continuer',
    goneTitle: 'Le lien n’est plus valable',
    goneText: 'Il a expiré ou n’a pas été copié en entier. Remplissez de nouveau le formulaire.',
  },
  de: {
    email: 'E-Mail',
    phone: 'Telefonnummer',
    firstName: 'Vorname',
    middleName: 'Zweiter Vorname',
    lastName: 'Nachname',
    choose: 'Bitte wählen',
    yes: 'Ja',
    no: 'Nein',
    button: 'Anmelden',
    required: 'Füllen Sie dieses Feld aus.',
    wrongEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel anna@example.com.',
    wrongPhone: 'Geben Sie eine Telefonnummer mit der Vorwahl des Landes ein.',
    wrongCountry: 'Nummern aus diesem Land werden hier nicht angenommen.',
    wrongValue: 'Prüfen Sie Ihre Eingabe.',
    consentMissing: 'Setzen Sie das Häkchen, um sich anzumelden.',
    tooMany: 'Es gab zu viele Versuche. Versuchen Sie es später noch einmal.',
    unavailable: 'Die Anmeldung ist gerade nicht möglich. Versuchen Sie es später noch einmal.',
    checking: 'Wir prüfen, dass Sie kein Roboter sind. Das dauert ein paar Sekunden.',
    noScript: 'Schalten Sie in Ihrem Browser Skripte ein, um fortzufahren.',
    sentTitle: 'Bestätigen Sie Ihre Adresse',
    sentText:
      'Wir haben eine Nachricht an {address} gesendet. Öffnen Sie den Link darin innerhalb von 48 Stunden. Kommt sie nach einigen Minuten nicht an, prüfen Sie die Adresse.',
    confirmTitle: 'Bestätigen Sie Ihre Anmeldung',
    confirmText: 'Sie melden sich für „{title}“ an.',
    confirmButton: 'Bestätigen',
    doneTitle: 'Sie sind angemeldet',
    doneText: 'Sie erhalten die Nachrichten von „{title}“.',
    onward: 'Weiter',
    goneTitle: 'Der Link ist nicht mehr gültig',
    goneText:
      'Er ist abgelaufen oder wurde nicht vollständig kopiert. Füllen Sie das Formular noch einmal aus.',
  },
  it: {
    email: 'E-mail',
    phone: 'Numero di telefono',
    firstName: 'Nome',
    middleName: 'Secondo nome',
    lastName: 'Cognome',
    choose: 'Scelga',
    yes: 'Sì',
    no: 'No',
    button: 'Iscriviti',
    required: 'Compili questo campo.',
    wrongEmail: 'Inserisca un indirizzo e-mail, ad esempio anna@example.com.',
    wrongPhone: 'Inserisca un numero di telefono con il prefisso del Paese.',
    wrongCountry: 'Qui non si accettano numeri di questo Paese.',
    wrongValue: 'Controlli ciò che ha inserito.',
    consentMissing: 'Spunti la casella per iscriversi.',
    tooMany: 'Ci sono stati troppi tentativi. Riprovi più tardi.',
    unavailable: 'Ora non è possibile iscriversi. Riprovi più tardi.',
    checking: 'Stiamo verificando che Lei non sia un robot. Bastano pochi secondi.',
    noScript: 'Per continuare attivi gli script nel browser.',
    sentTitle: 'Confermi il Suo indirizzo',
    sentText:
      'Abbiamo inviato un messaggio a {address}. Apra il link che contiene entro 48 ore. Se non arriva in pochi minuti, controlli l’indirizzo.',
    confirmTitle: 'Confermi l’iscrizione',
    confirmText: 'Si sta iscrivendo a «{title}».',
    confirmButton: 'Conferma',
    doneTitle: 'Iscrizione completata',
    doneText: 'Riceverà i messaggi di «{title}».',
    onward: 'Continua',
    goneTitle: 'Il link non è più valido',
    goneText: 'È scaduto o non è stato copiato per intero. Compili di nuovo il modulo.',
  },
};
