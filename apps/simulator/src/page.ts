import { PROFILE_NAMES } from '@heliograph/simulators';

const weights = [
  'failed',
  'temporary',
  'silent',
  'seen',
  'throttled',
  'rejected',
  'duplicates',
  'disorder',
  'replies',
];
const delays = ['sentDelay', 'deliveredDelay', 'seenDelay'];

const field = (name: string, hint: string) =>
  `<label>${name} <input name="${name}" placeholder="${hint}"></label>`;

/** The HTML page of the simulator: one file without libraries, which uses only the API of the simulator. */
export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Simulated carrier</title>
<style>
  body { font: 16px/1.5 system-ui; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  fieldset { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .5rem }
  label { display: grid } input, select, button { font: inherit; padding: .2rem .4rem }
  table { border-collapse: collapse } td { padding: 0 1.5rem 0 0; font-variant-numeric: tabular-nums }
  #error { color: #b00020 }
</style>
<h1>Simulated carrier</h1>
<table id="counters" aria-label="Counters"></table>
<h2>Profile</h2>
<form id="form">
  <fieldset>
    <label>profile <select name="profile">${PROFILE_NAMES.map((name) => `<option>${name}</option>`).join('')}</select></label>
    ${field('seed', '1')}
    ${weights.map((name) => field(name, '0..1')).join('\n    ')}
    ${delays.map((name) => field(name, '[from, to] ms')).join('\n    ')}
    <label>down <select name="down"><option></option><option>true</option><option>false</option></select></label>
  </fieldset>
  <p><button>Apply</button> <button type="button" id="reset">Delete all submissions</button></p>
  <p id="error" role="alert"></p>
</form>
<script type="module">
  const form = document.getElementById('form');
  const error = document.getElementById('error');
  const api = async (path, init) => {
    const response = await fetch(path, init);
    const text = await response.text();
    const body = text ? JSON.parse(text) : {};
    if (!response.ok) throw new Error(body.message ?? response.status);
    return body;
  };
  const attempt = (act) => async (event) => {
    event?.preventDefault();
    error.textContent = '';
    try { await act() } catch (problem) { error.textContent = problem.message }
  };
  const show = ({ options, seed, effective }) => {
    for (const input of form.elements) {
      if (!input.name) continue;
      const own = input.name === 'seed' ? seed : options[input.name];
      input.value = own === undefined ? '' : typeof own === 'object' ? JSON.stringify(own) : own;
      if (input.name in effective) input.placeholder = JSON.stringify(effective[input.name]);
    }
    form.elements.profile.value = options.profile ?? 'healthy';
  };
  form.addEventListener('submit', attempt(async () => {
    const change = {};
    for (const [name, value] of new FormData(form)) {
      if (value === '') continue;
      change[name] = name === 'profile' || name === 'seed' ? value : JSON.parse(value);
    }
    const headers = { 'content-type': 'application/json' };
    show(await api('/profile', { method: 'PUT', headers, body: JSON.stringify(change) }));
  }));
  document.getElementById('reset').addEventListener('click', attempt(async () => {
    await api('/reset', { method: 'POST' });
    await count();
  }));
  const count = async () => {
    const { reports, replies, ...submissions } = await api('/log/summary');
    const rows = Object.entries(submissions)
      .concat(Object.entries(reports).map(([name, value]) => ['reports ' + name, value]))
      .concat(Object.entries(replies).map(([name, value]) => ['replies ' + name, value]));
    document.getElementById('counters').replaceChildren(...rows.map((row) => {
      const line = document.createElement('tr');
      for (const cell of row) line.insertCell().textContent = cell;
      return line;
    }));
  };
  await attempt(async () => { show(await api('/profile')); await count() })();
  setInterval(() => count().catch((problem) => { error.textContent = problem.message }), 1000);
</script>
</html>
`;
