import type { ShownError } from '../wire.ts';
import type { Texts } from './en.ts';

export const pt: Texts = {
  title: 'Confirme o seu número de telefone',
  phone: 'Número de telefone',
  getCode: 'Receber o código',
  robot: 'A verificar que não é um robô…',
  loading: 'A carregar…',
  message: 'Enviámos um código para {phone}: {channel}.',
  voice: 'Estamos a ligar para {phone}. Ouça o código e introduza-o.',
  flashcall:
    'Estamos a ligar para {phone}. Não atenda: introduza os últimos dígitos do número que liga.',
  push: 'Confirme o pedido no ecrã do telefone {phone}. Não é preciso código.',
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
  offline: 'Sem ligação. A tentar de novo…',
  confirmed: 'O número está confirmado.',
};

export const ptErrors: Record<ShownError, string> = {
  AttemptsExpired: 'Não restam tentativas. Comece de novo.',
  CaptchaNotConfirmed: 'A verificação contra robôs falhou. Tente de novo.',
  ChannelChanged: 'O código chega agora por outra via. Introduza o novo.',
  Forbidden: 'Não é permitido confirmar a partir desta página.',
  InvalidCode: 'O código está errado. Verifique-o e introduza-o de novo.',
  InvalidRecipient: 'Introduza o número com o indicativo do país, por exemplo +351 910 000 000.',
  IsCodelessChannel: 'Não é preciso código: confirme o pedido no seu telefone.',
  Network: 'Sem ligação. Verifique a internet e tente de novo.',
  NoAvailableChannels:
    'Não é possível chegar a este número por nenhuma via. Verifique-o e comece de novo.',
  RateLimit: 'Demasiados pedidos. Espere um minuto e tente de novo.',
  ResendChannel: 'Está a ser enviado um novo código. Introduza o novo.',
  RestartCooldownActive: 'É cedo para enviar de novo. Espere um pouco.',
  SessionClosed: 'O tempo da confirmação terminou. Comece de novo.',
  SessionNotFound: 'A confirmação não foi encontrada. Comece de novo.',
  Unknown: 'Algo correu mal. Tente de novo.',
  WidgetIsBlocked: 'A confirmação está desligada agora.',
  WidgetNotFound: 'O widget não foi encontrado. Avise o dono do site.',
};
