import type { ShownError } from '../wire.ts';
import type { Texts } from './en.ts';

export const pt: Texts = {
  title: 'Confirme seu número de telefone',
  phone: 'Número de telefone',
  getCode: 'Receber o código',
  robot: 'Verificando que você não é um robô…',
  loading: 'Carregando…',
  message: 'Enviamos um código para {phone}: {channel}.',
  voice: 'Estamos ligando para {phone}. Ouça o código e digite-o.',
  flashcall:
    'Estamos ligando para {phone}. Não atenda: digite os últimos dígitos do número que liga.',
  push: 'Confirme a solicitação na tela do telefone {phone}. Não é preciso código.',
  code: 'Código',
  lastDigits: 'Últimos dígitos do número que liga',
  digits: 'Dígitos: {n}',
  confirm: 'Confirmar',
  valid: 'Tempo restante: {time}',
  expired: 'O tempo terminou. Espere por outro código ou peça um.',
  resend: 'Enviar de novo',
  resendIn: 'Enviar de novo em {time}',
  resent: 'Enviado de novo.',
  changed: 'O código chega agora por outra via.',
  attempts: 'Tentativas restantes: {n}',
  change: 'Mudar o número',
  again: 'Começar de novo',
  retry: 'Tentar de novo',
  offline: 'Sem conexão. Tentando de novo…',
  confirmed: 'O número está confirmado.',
};

export const ptErrors: Record<ShownError, string> = {
  AttemptsExpired: 'Não restam tentativas. Comece de novo.',
  CaptchaNotConfirmed: 'A verificação contra robôs falhou. Tente de novo.',
  ChannelChanged: 'O código chega agora por outra via. Digite o novo.',
  Forbidden: 'Não é permitido confirmar a partir desta página.',
  InvalidCode: 'O código está errado. Verifique-o e digite-o de novo.',
  InvalidRecipient: 'Digite o número com o código do país, por exemplo +55 11 90000-0000.',
  IsCodelessChannel: 'Não é preciso código: confirme a solicitação no seu telefone.',
  Network: 'Sem conexão. Verifique a internet e tente de novo.',
  NoAvailableChannels:
    'Não é possível chegar a este número por nenhuma via. Verifique-o e comece de novo.',
  RateLimit: 'Solicitações demais. Espere um minuto e tente de novo.',
  ResendChannel: 'Um novo código está sendo enviado. Digite o novo.',
  RestartCooldownActive: 'É cedo para enviar de novo. Espere um pouco.',
  SessionClosed: 'O tempo da confirmação terminou. Comece de novo.',
  SessionNotFound: 'A confirmação não foi encontrada. Comece de novo.',
  Unknown: 'Algo deu errado. Tente de novo.',
  WidgetIsBlocked: 'A confirmação está desativada agora.',
  WidgetNotFound: 'O widget não foi encontrado. Avise o dono do site.',
};
