/** Languages that are offered for texts of templates: those of most people, and of the region. Programs may write others. */
export const OFFERED_LANGUAGES = (
  'ar az be bg bn cs da de el en es et fa fi fil fr he hi hr hu hy id it ja ka kk ko ky lt lv mn ms nl no pl pt pt-BR ro ru sk sl sr ' +
  'sv sw ta tg th tk tr uk ur uz vi zh-Hans zh-Hant'
).split(' ');
