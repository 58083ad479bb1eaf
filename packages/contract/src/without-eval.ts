import * as z from 'zod';

// zod asks whether it may compile code, and a page's security policy answers with a complaint in the console.
if ('document' in globalThis) z.config({ jitless: true });
