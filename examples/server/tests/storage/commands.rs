//! What an operator does beside serving.

use crate::fixture::{NOW, Place, person};
use clap::Parser;
use lacre_keys::MasterKey;
use lacre_server::command::{self, Command, Error, Said};
use lacre_server::registry::{AccessError, Registry};
use lacre_server::token::Refusal;

#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

async fn run(registry: &Registry, line: &str) -> Result<Said, Error> {
    let words = std::iter::once("lacre-server").chain(line.split(' '));
    let line = Line::try_parse_from(words).unwrap_or_else(|e| panic!("{e}"));
    command::run(&line.command, &**registry.store(), || MasterKey::from_environment("LACRE_TEST_NOT_SET"), NOW).await
}

pub async fn commands(place: Place) {
    let registry = place.registry().await;
    let said = run(&registry, "token issue --user ana --surname Silva --country PT --days 2").await.expect("done");
    let token = said.data.trim_end();
    let found = registry.user_of(token, NOW).await.expect("the token is accepted");
    assert_eq!((found.user.as_str(), found.given_name.as_str(), found.surname.as_str()), ("ana", "ana", "Silva"));
    let id = token.split('_').nth(1).expect("the id is in the token");
    let list = run(&registry, "token list").await.expect("done").data;
    assert!(list.starts_with(&format!("{id}\tana\t2026-11-21T10:00:00Z\t2026-11-23T10:00:00Z\t-")), "{list}");
    run(&registry, &format!("token revoke {id}")).await.expect("done");
    let again = run(&registry, &format!("token revoke {id}")).await;
    assert!(matches!(again, Err(Error::NoToken(_))), "only once");
    let refused = registry.user_of(token, NOW).await;
    assert!(matches!(refused, Err(AccessError::Refused(Refusal::Revoked))), "{refused:?}");

    let got = registry.get_or_issue(&person("ana"), NOW).await.expect("a certificate");
    let list = run(&registry, "certificate list --user ana").await.expect("done").data;
    assert!(list.starts_with(&format!("{}\t2026-11-21T10:00:00Z\t", got.key)) && list.ends_with("\t-\n"), "{list}");
    run(&registry, &format!("certificate revoke {} --reason superseded", got.key)).await.expect("done");
    assert!(registry.key(&person("ana").user, got.key, NOW).await.expect("an answer").is_none());

    let head = run(&registry, "audit verify").await.expect("the log holds").data;
    assert!(head.starts_with("5:"), "five entries: {head}");
    run(&registry, &format!("audit verify --noted {}", head.trim_end())).await.expect("the log goes through its head");
    let other = format!("audit verify --noted 5:{}", "00".repeat(32));
    let told = run(&registry, &other).await.expect_err("another log").to_string();
    assert!(told.contains("entry 5 is not the one that was noted"), "{told}");
    let list = run(&registry, "audit list --from 4 --most 1").await.expect("done").data;
    assert!(list.starts_with("4\t2026-11-21T10:00:00Z\tcertificate-issued\tana\t"), "{list}");
    let more = run(&registry, "audit list --from 2 --most 2").await.expect("done");
    assert_eq!(more.talk, "2 more: go on with --from 4, or see the end with --last 2\n");
    let last = run(&registry, "audit list --last 2").await.expect("done");
    let numbers: Vec<_> = last.data.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!((numbers, &*last.talk), (vec!["4", "5"], ""));
    let all = run(&registry, "audit list --last 100").await.expect("done");
    assert_eq!((all.data.lines().count(), &*all.talk), (5, ""));
    assert!(!run(&registry, "audit list").await.expect("done").data.contains(token), "no token in the log");
}
