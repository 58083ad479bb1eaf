export default import.meta.glob<Record<string, unknown>>('../../../locales/fr/*.json', {
  import: 'default',
});
