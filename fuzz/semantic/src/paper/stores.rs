//! Proofs, metadata and what is written again: what programs add to signed documents.

use super::{Done, Draft, Edit, always, edits, never};
use crate::original::another_list;
use crate::random::Random;
use lacre_testkit::pdf::{object, stream};

pub(super) const EDITS: &[Edit] = edits! {
    never proofs_hung,
    never metadata_hung,
    never strange_proofs,
    always proofs_added,
    always proofs_again,
    always written_again,
    never metadata_changed,
};

fn proofs_hung(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let evil = draft.evil(page);
    draft.put(number, stream("", &evil));
    let key = random.of(&["Certs", "CRLs", "OCSPs", "VRI"]);
    let dss = match key {
        "VRI" => format!("<< /Type /DSS /VRI << /X << /Cert [{number} 0 R] >> >> >>"),
        _ => format!("<< /Type /DSS /{key} [{number} 0 R] >>"),
    };
    let dss = draft.add(object(&dss));
    draft.set(draft.root(), "DSS", &dss)
}

fn metadata_hung(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let evil = draft.evil(page);
    draft.put(number, stream("", &evil));
    let entries = format!("/Type /Metadata /Subtype /XML /Contents {number} 0 R");
    let metadata = draft.add(stream(&entries, b"<x/>"));
    let holder = if random.chance(2) { draft.root() } else { page };
    draft.set(holder, "Metadata", &metadata)
}

fn strange_proofs(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let text = random.of(&[
        "<< /Type /DSS /Certs 5 /CRLs [] >>",
        "<< /Type /DSS /VRI << /X 3 0 R >> >>",
        "[3 0 R]",
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Certs [3 0 R] /Contents 4 0 R >>",
    ]);
    draft.set(draft.root(), "DSS", text)
}

fn proofs_added(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let (root, tsa, crl) = (&draft.lab.root.certificate, &draft.lab.tsa.certificate, &draft.lab.crl);
    let changes = draft.pdf.proofs(&[root, tsa], &[crl]);
    if draft.changes.keys().any(|number| changes.contains_key(number)) {
        return None;
    }
    draft.next += changes.len() as u32;
    draft.changes.extend(changes);
    Some(())
}

fn proofs_again(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let crl = another_list(draft.lab);
    let changes = draft.pdf.proofs(&[&draft.lab.root.certificate], &[&crl]);
    if draft.changes.keys().any(|number| changes.contains_key(number)) {
        return None;
    }
    draft.next += changes.len() as u32;
    draft.changes.extend(changes);
    Some(())
}

fn written_again(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = draft.such(|object| object.value.get("ByteRange").is_none());
    for _ in 0..3 {
        let number = *random.pick(&all)?;
        let object = draft.get(number)?;
        draft.put(number, object);
    }
    Some(())
}

fn metadata_changed(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let metadata =
        draft.add(stream("/Type /Metadata /Subtype /XML", b"<x:xmpmeta xmlns:x='adobe:ns:meta/'> </x:xmpmeta>"));
    draft.set(draft.root(), "Metadata", &metadata)
}
