import { HeliographOtp, setServer } from './element.ts';

interface Mount {
  widgetId: string;
  containerId: string;
}

declare global {
  interface Window {
    OTP_WIDGETS?: Mount[];
  }
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.src) setServer(new URL(script.src).origin);
if (!customElements.get('heliograph-otp')) customElements.define('heliograph-otp', HeliographOtp);

function mount({ widgetId, containerId }: Mount): void {
  const container = document.getElementById(containerId);
  if (!container) return console.error(`OTP_WIDGETS: no element has the id ${containerId}`);
  const element = document.createElement('heliograph-otp');
  element.setAttribute('widget-id', widgetId);
  container.replaceChildren(element);
}

/** Also takes what the page adds to the list later. */
function mountAll(): void {
  const list = (window.OTP_WIDGETS ??= []);
  // The page has this script more than once.
  if (Object.hasOwn(list, 'push')) return;
  list.forEach(mount);
  list.push = (...more) => {
    more.forEach(mount);
    return Array.prototype.push.apply(list, more);
  };
}

if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', mountAll, { once: true });
else mountAll();
