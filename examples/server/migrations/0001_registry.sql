-- What the server remembers: certificates, tokens, the audit log.
-- Moments are milliseconds since 1970-01-01T00:00:00Z.

create table certificates (
    key_id            bigint primary key check (key_id > 0),
    owner             text   not null,
    -- Counts the owner's certificates: the second lock behind "one user, one certificate".
    nth               bigint not null,
    policy            bigint not null,
    certificate       bytea  not null,
    serial            bytea  not null unique,
    stored_key        bytea  not null,
    issued            bigint not null,
    expires           bigint not null,
    revoked_since     bigint,
    revocation_reason text,
    unique (owner, nth),
    check ((revoked_since is null) = (revocation_reason is null))
);

create index certificates_revoked on certificates (expires) where revoked_since is not null;

create table tokens (
    token_id      bigint primary key check (token_id > 0),
    sha256        bytea  not null check (octet_length(sha256) = 32),
    owner         text   not null,
    country       text   not null,
    given_name    text   not null,
    surname       text   not null,
    serial_number text   not null,
    issued        bigint not null,
    expires       bigint,
    revoked       bigint
);

create table audit (
    number   bigint primary key,
    happened bigint not null,
    action   text   not null,
    owner    text,
    key_id   bigint,
    token_id bigint,
    detail   text   not null,
    hash     bytea  not null check (octet_length(hash) = 32)
);

-- One row: whoever appends locks it, so that the chain stays one, whatever node writes.
create table audit_head (
    one   boolean primary key default true check (one),
    count bigint  not null,
    hash  bytea   not null check (octet_length(hash) = 32)
);

insert into audit_head (count, hash) values (0, decode(repeat('00', 32), 'hex'));

create function audit_only_grows() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log only grows';
end
$$;

create trigger audit_only_grows before update or delete or truncate on audit
    for each statement execute function audit_only_grows();
