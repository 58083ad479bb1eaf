import { useState } from 'react';
import { PageButtons } from './page-buttons.tsx';

function Story() {
  const [page, setPage] = useState(1);
  return (
    <PageButtons
      page={page}
      pages={3}
      previous="Previous page"
      next="Next page"
      place={`${page} of 3`}
      onChange={setPage}
    />
  );
}

export const story = { title: 'Page buttons', Story };
