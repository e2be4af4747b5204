import { DiscordOutlined, ReadOutlined, XOutlined } from '@ant-design/icons';

/** The icon of a social link. Telegram's is drawn here because the icon set has none. */
export function SocialIcon({ name }: { name: string }) {
  if (name === 'X') return <XOutlined />;
  if (name === 'Discord') return <DiscordOutlined />;
  if (name === 'Telegram') {
    return (
      <svg
        width="1em"
        height="1em"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        aria-hidden
      >
        <path d="M21 4 3 11.2l5.6 2L18 7.4l-7.2 7.2.2 5.2 3-3.6 4 2.8z" strokeLinejoin="round" />
      </svg>
    );
  }
  return <ReadOutlined />;
}
