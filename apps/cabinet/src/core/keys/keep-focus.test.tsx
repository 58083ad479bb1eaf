import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { keepFocus } from './keep-focus.ts';

// Not in the simulated document.
Element.prototype.checkVisibility ??= () => true;

function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <h1 tabIndex={-1} data-page-title>
        Page
      </h1>
      {isOpen && (
        <div role="dialog">
          <button type="button" onClick={() => setOpen(false)}>
            Close
          </button>
        </div>
      )}
    </>
  );
}

test('a dialog that is closed by a click on what has the focus leaves it on the heading of the page', async () => {
  // Files share their document, and it is gone after the last.
  onTestFinished(keepFocus());
  const { user } = await draw(<Page />);
  const close = screen.getByRole('button', { name: 'Close' });
  close.focus();
  await user.click(close);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
});
