export default import.meta.glob<Record<string, unknown>>('../../../locales/en/*.json', {
  import: 'default',
});
