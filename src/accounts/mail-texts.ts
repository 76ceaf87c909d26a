/** The texts of account mails. `{name}` is replaced. */
export type MailKind = 'confirm' | 'reset' | 'changed';

interface MailText {
  subject: string;
  text: string;
}

const en: Record<MailKind, MailText> = {
  confirm: {
    subject: '{brand}: confirm your email',
    text: `Open this link to confirm your email address. It is valid for 24 hours.

{link}

If you did not create an account, ignore this mail.`,
  },
  reset: {
    subject: '{brand}: choose a new password',
    text: `Open this link to choose a new password and sign in. It is valid for 30 minutes and works once.

{link}

If you did not ask for it, ignore this mail. Your password stays as it is.`,
  },
  changed: {
    subject: '{brand}: your password was changed',
    text: `The password of your account was changed, and all other sessions were signed out.

If it was not you, choose a new password at once:

{link}`,
  },
};

const ko: Record<MailKind, MailText> = {
  confirm: {
    subject: '[{brand}] 이메일 주소를 인증해 주세요',
    text: `아래 링크를 열어 이메일 주소를 인증해 주세요. 링크는 24시간 동안 유효합니다.

{link}

가입한 적이 없다면 이 메일을 무시하셔도 됩니다.`,
  },
  reset: {
    subject: '[{brand}] 비밀번호 재설정 안내',
    text: `아래 링크를 열어 새 비밀번호를 설정하고 로그인해 주세요. 링크는 30분 동안 한 번만 사용할 수 있습니다.

{link}

요청한 적이 없다면 이 메일을 무시하셔도 됩니다. 비밀번호는 변경되지 않습니다.`,
  },
  changed: {
    subject: '[{brand}] 비밀번호가 변경되었습니다',
    text: `회원님의 비밀번호가 변경되었으며, 다른 기기에서는 모두 로그아웃되었습니다.

직접 변경하지 않았다면 바로 비밀번호를 다시 설정해 주세요.

{link}`,
  },
};

export const mailTexts = { en, ko };
export type MailLanguage = keyof typeof mailTexts;
