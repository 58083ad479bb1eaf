export default import.meta.glob<Record<string, unknown>>('../../../locales/pt/*.json', {
  import: 'default',
});
