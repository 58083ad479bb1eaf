const query = new URLSearchParams(location.search);
const widgetId = query.get('widget') ?? '';
const container = document.getElementById('otp');
document.getElementById('widget').value = widgetId;
document.getElementById('lang').value = query.get('lang') ?? '';
container.lang = query.get('lang') ?? '';

if (widgetId) window.OTP_WIDGETS = [{ widgetId, containerId: 'otp' }];

container.addEventListener('code:check', ({ detail }) => {
  const line = document.createElement('li');
  const code = document.createElement('code');
  code.textContent = JSON.stringify(detail);
  line.append(code);
  document.getElementById('events').append(line);
});
