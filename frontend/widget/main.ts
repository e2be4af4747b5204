import { BedrockPassportProvider } from './BedrockPassportProvider';
import { LoginPanel } from './LoginPanel';
import { useBedrockPassport } from './passport.context';

declare global {
  interface Window {
    Bedrock?: unknown;
  }
}

/**
 * The global that the passport loader waits for. A remounted loader loads this script again; the first copy stays,
 * because a provider of one copy and a panel of another would not share a context.
 */
window.Bedrock ??= { BedrockPassportProvider, LoginPanel, useBedrockPassport };
