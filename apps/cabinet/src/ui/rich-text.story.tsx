import { parseRichText } from '@heliograph/domain';
import { RichText } from './rich-text.tsx';

const TEXT =
  '<p>Messages to <b>Tea Mobile</b> are <i>delayed</i>.</p><li>until 12:00</li><li><a href="https://tea.example">more</a></li>';

const Story = () => <RichText nodes={parseRichText(TEXT)} />;

export const story = { title: 'Formatted text', Story };
